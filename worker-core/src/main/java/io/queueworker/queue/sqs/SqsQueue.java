package io.queueworker.queue.sqs;

import io.queueworker.queue.EntryResult;
import io.queueworker.queue.MessageQueue;
import io.queueworker.queue.MoveTasks;
import io.queueworker.queue.OutgoingMessage;
import io.queueworker.queue.QueueAttributes;
import io.queueworker.queue.QueueException;
import io.queueworker.queue.QueueTraits;
import io.queueworker.queue.Receipt;
import io.queueworker.queue.ReceiveRequest;
import io.queueworker.queue.ReceivedMessage;
import io.queueworker.queue.SendResult;
import io.queueworker.queue.VisibilityChange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageRequest;

/**
 * A queue of Amazon SQS, standard or FIFO (told by the suffix {@code .fifo} of its name).
 *
 * <p>{@link #connect} builds what it needs. {@link #at(String, SqsClient, SqsClient)} takes clients that stay the
 * caller's: one for receives, whose long polls hold a connection for up to 20 seconds each, and one for deletes and
 * extensions, which must never wait behind them. Build the control client without retries ({@code
 * AwsRetryStrategy.doNotRetry()}): the worker repeats calls itself, knows how much of a lease is left, and must not
 * send a release twice. Neither client may have its calls interrupted by others.
 *
 * <p>Every call blocks on I/O. On a thread that is interrupted the SDK may send nothing, or lose what a receive
 * brought; the result then is {@link EntryResult.Retryable} or {@link QueueException.Kind#UNAVAILABLE} and the flag
 * stays set. Fractional seconds are rounded up, since SQS knows whole ones. Thread-safe, as the SDK's clients are.
 */
public final class SqsQueue implements MessageQueue {

  private static final Logger LOG = LoggerFactory.getLogger(SqsQueue.class);

  private static final int MAX_BATCH = 10;
  private static final Duration MAX_WAIT = Duration.ofSeconds(20);
  private static final Duration TWELVE_HOURS = Duration.ofHours(12);

  /** What a receive or an attribute read may take beyond its long poll. */
  private static final Duration SLACK = Duration.ofSeconds(10);

  private static final String RECEIVE = "sqs:ReceiveMessage";
  private static final String READ_ATTRIBUTES = "sqs:GetQueueAttributes";

  private final SqsUrl url;
  private final SqsClients clients;
  private final boolean ownsClients;
  private final SqsBatches batches;
  private final SqsSends sends;
  private final QueueTraits traits;

  private SqsQueue(SqsUrl url, SqsClients clients, boolean ownsClients) {
    this.url = url;
    this.clients = clients;
    this.ownsClients = ownsClients;
    this.batches = new SqsBatches(url, clients.control());
    this.sends = new SqsSends(url, clients.control());
    this.traits =
        new QueueTraits(
            MAX_BATCH,
            MAX_WAIT,
            Duration.ZERO,
            TWELVE_HOURS,
            Optional.of(TWELVE_HOURS),
            true,
            false,
            true,
            url.fifo(),
            url.fifo());
  }

  /**
   * A queue with two clients of its own, which {@link #close} closes. They use the SDK's default chain for credentials,
   * the region that the URL's host names (for another host: the default chain, and the host as endpoint), no SDK
   * retries, and a timeout on each call.
   *
   * @param queueUrl such as {@code https://sqs.eu-west-1.amazonaws.com/123456789012/orders}
   * @throws IllegalArgumentException when the URL is none of a queue, or no region is known
   */
  public static SqsQueue connect(String queueUrl) {
    SqsUrl url = SqsUrl.of(queueUrl);
    return new SqsQueue(url, SqsClients.of(url), true);
  }

  /**
   * A queue that uses the given clients and leaves them open.
   *
   * @param queueUrl such as {@code https://sqs.eu-west-1.amazonaws.com/123456789012/orders}
   * @param receiveClient for long polls; it needs a connection for each poller, and a socket timeout above 20 seconds
   * @param controlClient for deletes, extensions, releases and attributes; without SDK retries
   * @throws IllegalArgumentException when the URL is none of a queue
   */
  public static SqsQueue at(String queueUrl, SqsClient receiveClient, SqsClient controlClient) {
    SqsQueue queue = new SqsQueue(SqsUrl.of(queueUrl), new SqsClients(receiveClient, controlClient), false);
    if (SqsClients.repeatsCalls(controlClient)) {
      LOG.warn(
          "queue={} the SqsClient for deletes and extensions repeats failed calls by itself: a repeated release can free"
              + " a message that another worker holds by then. Build it with overrideConfiguration(config ->"
              + " config.retryStrategy(AwsRetryStrategy.doNotRetry())), or use SqsQueue.connect(url).",
          queue.name());
    }
    return queue;
  }

  /**
   * A queue that uses one client for everything and leaves it open. Logs a warning: with a small connection pool, long
   * polls starve deletes and extensions without any error. The client should have no SDK retries.
   *
   * @throws IllegalArgumentException when the URL is none of a queue
   */
  public static SqsQueue at(String queueUrl, SqsClient client) {
    SqsQueue queue = at(queueUrl, client, client);
    LOG.warn(
        "queue={} one SqsClient serves long polls, deletes and extensions: when its connection pool is small, deletes"
            + " and beats wait behind the polls and leases run out. Pass a second client for deletes and extensions,"
            + " SqsQueue.at(url, receiveClient, controlClient), or use SqsQueue.connect(url).",
        queue.name());
    return queue;
  }

  @Override
  public String name() {
    return url.name();
  }

  @Override
  public QueueTraits traits() {
    return traits;
  }

  @Override
  public QueueAttributes attributes() {
    Map<QueueAttributeName, String> found =
        asking(
            READ_ATTRIBUTES,
            () -> clients
                .control()
                .getQueueAttributes(
                    request -> request
                        .queueUrl(url.text())
                        .attributeNames(SqsAttributes.READ)
                        .overrideConfiguration(SqsCalls.within(SLACK)))
                .attributes());
    return SqsAttributes.of(found)
        .orElseThrow(
            () -> QueueException.of(
                QueueException.Kind.UNAVAILABLE,
                "queue=" + name() + " " + READ_ATTRIBUTES
                    + " was answered without a VisibilityTimeout in whole seconds",
                null));
  }

  /**
   * {@inheritDoc}
   *
   * <p>It is looked for at this queue's own endpoint and account, where the service asks for it to be
   * (docs/queue-facts.md A6); so this needs no permission beyond {@code sqs:GetQueueAttributes} on this queue.
   */
  @Override
  public Optional<MessageQueue> deadLetters() {
    return attributes().deadLetterQueue().map(target -> new SqsQueue(url.sibling(target), clients, false));
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException when the request asks for fewer than 1 or more than 10 messages, or for a long
   *     poll outside 0 to 20 seconds
   */
  @Override
  public List<ReceivedMessage> receive(ReceiveRequest request) {
    ReceiveMessageRequest call = toCall(request);
    List<Message> answer = asking(RECEIVE, () -> clients.receive().receiveMessage(call).messages());
    List<ReceivedMessage> received = new ArrayList<>(answer.size());
    for (Message message : answer) {
      if (message.messageId() == null || message.receiptHandle() == null) {
        LOG.warn("queue={} a received message has no id or no receipt handle and is left to the service", name());
      } else {
        received.add(SqsMessages.toReceived(message));
      }
    }
    return received;
  }

  private ReceiveMessageRequest toCall(ReceiveRequest request) {
    if (request.max() < 1 || request.max() > MAX_BATCH) {
      throw new IllegalArgumentException("receive of " + request.max() + " messages; allowed are 1 to " + MAX_BATCH);
    }
    if (request.longPoll().isNegative() || request.longPoll().compareTo(MAX_WAIT) > 0) {
      throw new IllegalArgumentException("long poll of " + request.longPoll() + "; allowed is PT0S to " + MAX_WAIT);
    }
    int wait = SqsCalls.wholeSeconds(request.longPoll());
    Duration visibility = request.visibility();
    return ReceiveMessageRequest.builder()
        .queueUrl(url.text())
        .maxNumberOfMessages(request.max())
        .waitTimeSeconds(wait)
        .visibilityTimeout(visibility == null ? null : SqsCalls.wholeSeconds(visibility))
        .messageSystemAttributeNames(MessageSystemAttributeName.ALL)
        .messageAttributeNames("All")
        // A fresh id: a client that repeats this very request gets the same messages again, and another poll never does.
        .receiveRequestAttemptId(url.fifo() ? UUID.randomUUID().toString() : null)
        .overrideConfiguration(SqsCalls.within(SLACK.plusSeconds(wait)))
        .build();
  }

  @Override
  public List<EntryResult> extend(List<VisibilityChange> batch, Duration timeout) {
    return batches.changeVisibility(batch, timeout);
  }

  @Override
  public List<EntryResult> release(List<VisibilityChange> batch, Duration timeout) {
    return batches.changeVisibility(batch, timeout);
  }

  @Override
  public List<EntryResult> delete(List<Receipt> batch, Duration timeout) {
    return batches.delete(batch, timeout);
  }

  @Override
  public SendResult send(OutgoingMessage message, Duration timeout) {
    return sends.send(message, timeout);
  }

  @Override
  public Optional<MoveTasks> moveTasks() {
    return Optional.of(new SqsMoves(url, clients.control()));
  }

  @Override
  public void close() {
    if (ownsClients) {
      closeQuietly(clients.receive());
      closeQuietly(clients.control());
    }
  }

  private void closeQuietly(SqsClient client) {
    try {
      client.close();
    } catch (RuntimeException failed) {
      LOG.warn("queue={} a client did not close; its connections end with the process", name(), failed);
    }
  }

  /** The answer of a call, or its failure classified. An {@code Error} is nobody's failure to classify and passes. */
  private <T> T asking(String permission, Supplier<T> call) {
    try {
      return call.get();
    } catch (RuntimeException failed) {
      throw SqsFailure.of(failed, List.of()).toException(url, permission, failed);
    }
  }

  @Override
  public String toString() {
    return "SqsQueue[" + name() + "]";
  }
}
