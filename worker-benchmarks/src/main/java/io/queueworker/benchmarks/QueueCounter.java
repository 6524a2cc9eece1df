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

  /** How many there are now. */
  int messages() {
    Map<QueueAttributeName, String> values =
        client
            .getQueueAttributes(
                request -> request
                    .queueUrl(url)
                    .attributeNames(
                        QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES,
                        QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE))
            .attributes();
    return values.values().stream().mapToInt(Integer::parseInt).sum();
  }
}
