package io.queueworker.testkit.endpoint;

import java.time.Duration;
import java.util.List;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;

/** What the endpoint's tests share. */
final class Calls {

  /** A bound for what must happen, far above what it takes. */
  static final Duration LONG = Duration.ofSeconds(60);

  private Calls() {}

  /** A client that repeats nothing, so that one call is one request. */
  static SqsClient plain(StrictSqs sqs) {
    return sqs.newClient(AwsRetryStrategy.doNotRetry());
  }

  /** Throws a bug of a test where a condition is asked for. */
  static boolean thrown(Throwable bug) {
    if (bug instanceof Error error) {
      throw error;
    }
    throw (RuntimeException) bug;
  }

  /** Receives what comes within 10 s, ten messages at most, with all attributes. */
  static List<Message> receive(StrictQueue queue) {
    return queue
        .client()
        .receiveMessage(
            call -> call
                .queueUrl(queue.url())
                .maxNumberOfMessages(10)
                .waitTimeSeconds(10)
                .messageAttributeNames("All")
                .messageSystemAttributeNamesWithStrings("All"))
        .messages();
  }

  /** Receives one message. */
  static Message receiveOne(StrictQueue queue) {
    List<Message> messages = receive(queue);
    if (messages.size() != 1) {
      throw new AssertionError("expected one message, came " + messages.size());
    }
    return messages.get(0);
  }
}
