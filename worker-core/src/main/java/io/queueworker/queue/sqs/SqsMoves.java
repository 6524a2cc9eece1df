package io.queueworker.queue.sqs;

import io.queueworker.queue.MessageQueue;
import io.queueworker.queue.MoveTask;
import io.queueworker.queue.MoveTasks;
import io.queueworker.queue.QueueException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.ListMessageMoveTasksResultEntry;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/**
 * The move tasks of Amazon SQS from one dead-letter queue: one at a time, at most 500 messages a second and 36 hours
 * (docs/queue-facts.md A6). Immutable; thread-safe as the SDK's client is.
 */
final class SqsMoves implements MoveTasks {

  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final int MOST_PER_SECOND = 500;

  /** How many tasks the service lists at most. */
  private static final int MOST_LISTED = 10;

  private final SqsUrl url;
  private final SqsClient client;

  SqsMoves(SqsUrl url, SqsClient client) {
    this.url = url;
    this.client = client;
  }

  @Override
  public MoveTask start(MessageQueue destination, OptionalInt perSecond) {
    if (perSecond.isPresent() && (perSecond.getAsInt() < 1 || perSecond.getAsInt() > MOST_PER_SECOND)) {
      throw new IllegalArgumentException(
          "perSecond = " + perSecond.getAsInt() + ": give 1 to " + MOST_PER_SECOND + ", or none");
    }
    String from = arn();
    // Account and Region are those of the dead-letter queue, which is a rule of the service. Without a destination the service
    // would send each message to where it came from, and a worker's reject leaves no trace of that.
    String to = from.substring(0, from.lastIndexOf(':') + 1) + destination.name();
    String handle =
        asking(
            "sqs:StartMessageMoveTask",
            () -> client.startMessageMoveTask(
                request -> request
                    .sourceArn(from)
                    .destinationArn(to)
                    .maxNumberOfMessagesPerSecond(perSecond.isPresent() ? perSecond.getAsInt() : null)
                    .overrideConfiguration(SqsCalls.within(TIMEOUT)))
                .taskHandle());
    return new MoveTask(Optional.ofNullable(handle), "RUNNING", 0, OptionalLong.empty(), Optional.empty());
  }

  @Override
  public List<MoveTask> list() {
    String from = arn();
    return asking(
        "sqs:ListMessageMoveTasks",
        () -> client
            .listMessageMoveTasks(
                request -> request
                    .sourceArn(from)
                    .maxResults(MOST_LISTED)
                    .overrideConfiguration(SqsCalls.within(TIMEOUT)))
            .results())
        .stream().map(SqsMoves::task).toList();
  }

  @Override
  public long cancel(String handle) {
    Long moved =
        asking(
            "sqs:CancelMessageMoveTask",
            () -> client
                .cancelMessageMoveTask(
                    request -> request.taskHandle(handle).overrideConfiguration(SqsCalls.within(TIMEOUT)))
                .approximateNumberOfMessagesMoved());
    return number(moved);
  }

  private static MoveTask task(ListMessageMoveTasksResultEntry entry) {
    Long toMove = entry.approximateNumberOfMessagesToMove();
    return new MoveTask(
        Optional.ofNullable(entry.taskHandle()),
        entry.status() == null ? "UNKNOWN" : entry.status(),
        number(entry.approximateNumberOfMessagesMoved()),
        toMove == null ? OptionalLong.empty() : OptionalLong.of(toMove),
        Optional.ofNullable(entry.failureReason()));
  }

  private static long number(@Nullable Long value) {
    return value == null ? 0 : value;
  }

  private String arn() {
    String arn =
        asking(
            "sqs:GetQueueAttributes",
            () -> client
                .getQueueAttributes(
                    request -> request
                        .queueUrl(url.text())
                        .attributeNames(QueueAttributeName.QUEUE_ARN)
                        .overrideConfiguration(SqsCalls.within(TIMEOUT)))
                .attributes()
                .get(QueueAttributeName.QUEUE_ARN));
    if (arn == null) {
      throw QueueException.of(
          QueueException.Kind.UNAVAILABLE,
          "queue=" + url.name() + " sqs:GetQueueAttributes was answered without a QueueArn", null);
    }
    return arn;
  }

  private <T extends @Nullable Object> T asking(String permission, Supplier<T> call) {
    try {
      return call.get();
    } catch (RuntimeException failed) {
      throw SqsFailure.of(failed, List.of()).toException(url, permission, failed);
    }
  }
}
