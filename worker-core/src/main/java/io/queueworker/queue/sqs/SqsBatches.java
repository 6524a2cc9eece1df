package io.queueworker.queue.sqs;

import io.queueworker.queue.EntryResult;
import io.queueworker.queue.Receipt;
import io.queueworker.queue.VisibilityChange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchResultEntry;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchResultEntry;

/**
 * The batch calls of one queue, answered entry by entry: entries are named by their position, since a batch is answered
 * with HTTP 200 also when entries failed. Thread-safe.
 */
final class SqsBatches {

  private static final Logger LOG = LoggerFactory.getLogger(SqsBatches.class);

  private static final int MOST_ENTRIES = 10;
  private static final String CHANGE_VISIBILITY = "sqs:ChangeMessageVisibility";
  private static final String DELETE = "sqs:DeleteMessage";

  private final SqsUrl url;
  private final SqsClient client;

  /** Whether the log already says that credentials were refused: it says so once, until a call succeeds again. */
  private final AtomicBoolean credentialsReported = new AtomicBoolean();

  SqsBatches(SqsUrl url, SqsClient client) {
    this.url = url;
    this.client = client;
  }

  /** Sets the visibility timeouts of a batch; at zero the message comes back at once. */
  List<EntryResult> changeVisibility(List<VisibilityChange> batch, Duration timeout) {
    List<ChangeMessageVisibilityBatchRequestEntry> entries = new ArrayList<>(batch.size());
    for (VisibilityChange change : batch) {
      entries.add(
          ChangeMessageVisibilityBatchRequestEntry.builder()
              .id(Integer.toString(entries.size()))
              .receiptHandle(change.receipt().value())
              .visibilityTimeout(SqsCalls.wholeSeconds(change.visibility()))
              .build());
    }
    return results(
        CHANGE_VISIBILITY,
        batch.stream().map(VisibilityChange::receipt).toList(),
        timeout,
        () -> {
          var answer =
              client.changeMessageVisibilityBatch(
                  call -> call.queueUrl(url.text()).entries(entries).overrideConfiguration(SqsCalls.within(timeout)));
          return new Answer(
              answer.successful().stream().map(ChangeMessageVisibilityBatchResultEntry::id).toList(), answer.failed());
        });
  }

  /** Deletes a batch. */
  List<EntryResult> delete(List<Receipt> batch, Duration timeout) {
    List<DeleteMessageBatchRequestEntry> entries = new ArrayList<>(batch.size());
    for (Receipt receipt : batch) {
      entries.add(
          DeleteMessageBatchRequestEntry.builder()
              .id(Integer.toString(entries.size()))
              .receiptHandle(receipt.value())
              .build());
    }
    return results(
        DELETE,
        batch,
        timeout,
        () -> {
          var answer =
              client.deleteMessageBatch(
                  call -> call.queueUrl(url.text()).entries(entries).overrideConfiguration(SqsCalls.within(timeout)));
          return new Answer(
              answer.successful().stream().map(DeleteMessageBatchResultEntry::id).toList(), answer.failed());
        });
  }

  /** What a batch call was answered: the ids that worked, and what became of the others. */
  private record Answer(List<String> done, List<BatchResultErrorEntry> failed) {}

  private List<EntryResult> results(
      String permission, List<Receipt> receipts, Duration timeout, Supplier<Answer> call) {
    if (receipts.size() > MOST_ENTRIES) {
      throw new IllegalArgumentException(
          permission + " for " + receipts.size() + " messages; one call takes at most " + MOST_ENTRIES);
    }
    if (receipts.isEmpty()) {
      return List.of();
    }
    if (timeout.isNegative() || timeout.isZero()) {
      return repeated(new EntryResult.Retryable("not sent: no time is left for the call"), receipts.size());
    }
    Answer answer;
    try {
      answer = call.get();
    } catch (RuntimeException failed) {
      return forWholeCall(permission, receipts, failed);
    }
    return perEntry(permission, receipts, answer);
  }

  /**
   * The failure of the call for each of its entries. A call of several entries that is refused because of one handle says
   * so of that one only: taking the words for all of them would give up leases that are held.
   */
  private List<EntryResult> forWholeCall(String permission, List<Receipt> receipts, RuntimeException failed) {
    SqsFailure failure = SqsFailure.of(failed, receipts);
    EntryResult result = result(failure, permission);
    boolean ofOneEntry = result instanceof EntryResult.Lost || result instanceof EntryResult.Gone;
    if (!ofOneEntry || receipts.size() == 1) {
      return repeated(result, receipts.size());
    }
    String words = String.valueOf(failed.getMessage());
    EntryResult other =
        new EntryResult.Retryable(
            "queue=" + url.name() + " " + permission + " failed: the call was refused because of one of its entries, "
                + failure.code());
    return receipts.stream().map(receipt -> blames(words, receipt) ? result : other).toList();
  }

  /**
   * Whether the service's words refuse this very receipt handle. It quotes handles whole, in one of two ways; to look for the
   * handle alone would blame one that is only the start of the handle that is meant.
   */
  private static boolean blames(String words, Receipt receipt) {
    return words.contains("Value " + receipt.value() + " for parameter ReceiptHandle")
        || words.contains('"' + receipt.value() + '"');
  }

  private List<EntryResult> perEntry(String permission, List<Receipt> receipts, Answer answer) {
    Set<String> done = new HashSet<>(answer.done());
    Map<String, BatchResultErrorEntry> failed = new HashMap<>();
    for (BatchResultErrorEntry entry : answer.failed()) {
      failed.put(entry.id(), entry);
    }
    List<EntryResult> results = new ArrayList<>(receipts.size());
    for (int i = 0; i < receipts.size(); i++) {
      String id = Integer.toString(i);
      BatchResultErrorEntry error = failed.get(id);
      if (error != null) {
        results.add(result(SqsFailure.of(error, receipts), permission));
      } else if (done.contains(id)) {
        credentialsReported.set(false);
        results.add(new EntryResult.Done(receipts.get(i)));
      } else {
        results.add(new EntryResult.Retryable("the answer to " + permission + " leaves this entry out"));
      }
    }
    return results;
  }

  private EntryResult result(SqsFailure failure, String permission) {
    // A Denied names only a permission, and granting it would not help here.
    if (failure.meaning() == SqsFailure.Meaning.CREDENTIALS && credentialsReported.compareAndSet(false, true)) {
      LOG.warn("queue={} {} failed: {}", url.name(), permission, failure.credentialsRemedy());
    }
    return failure.toResult(url, permission);
  }

  private static List<EntryResult> repeated(EntryResult result, int times) {
    return Collections.nCopies(times, result);
  }
}
