package io.queueworker.benchmarks;

import java.util.Map;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** Asks a queue how many messages it has, those in flight included, by a client of its own. Thread-safe. */
final class QueueCounter {

  private final String url;
  private final SqsClient client;

  /** For the queue with this URL. */
  QueueCounter(String url) {
    this.url = url;
    this.client = new HttpClients(url).control();
  }

  /**
   * How many messages there are.
   *
   * @param visible that can be received
   * @param hidden that are in flight
   */
  record Count(int visible, int hidden) {}

  /** How many there are now. */
  int messages() {
    Count count = count();
    return count.visible + count.hidden;
  }

  /** The same, apart. */
  Count count() {
    Map<QueueAttributeName, String> values =
        client
            .getQueueAttributes(
                request -> request
                    .queueUrl(url)
                    .attributeNames(
                        QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES,
                        QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE))
            .attributes();
    return new Count(
        number(values, QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES),
        number(values, QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE));
  }

  private static int number(Map<QueueAttributeName, String> values, QueueAttributeName name) {
    return Integer.parseInt(values.getOrDefault(name, "0"));
  }
}
