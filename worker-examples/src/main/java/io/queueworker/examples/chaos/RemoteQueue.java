package io.queueworker.examples.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import io.queueworker.testkit.QueueCounts;
import java.net.URI;
import java.util.Map;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** The queue in the other process as a producer sees it, over HTTP. Thread-safe. */
final class RemoteQueue implements AutoCloseable {

  private final String url;
  private final String deadLettersUrl;
  private final SqsClient client;

  /** The queue at what a queue server announced. */
  RemoteQueue(JsonNode where) {
    this.url = where.get("url").asText();
    this.deadLettersUrl = where.get("deadLetters").asText();
    this.client =
        SqsClient.builder()
            .endpointOverride(URI.create(url).resolve("/"))
            .region(Region.EU_WEST_1)
            .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("none", "none")))
            .build();
  }

  /** Its URL. */
  String url() {
    return url;
  }

  /** Sends a message. */
  void send(String body) {
    client.sendMessage(message -> message.queueUrl(url).messageBody(body));
  }

  /** How many messages it has. */
  QueueCounts counts() {
    return counts(url);
  }

  /** How many messages its dead-letter queue has. */
  QueueCounts deadLetters() {
    return counts(deadLettersUrl);
  }

  private QueueCounts counts(String queueUrl) {
    Map<QueueAttributeName, String> values =
        client
            .getQueueAttributes(
                request -> request
                    .queueUrl(queueUrl)
                    .attributeNames(
                        QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES,
                        QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE,
                        QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_DELAYED))
            .attributes();
    return new QueueCounts(
        number(values, QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES),
        number(values, QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE),
        number(values, QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_DELAYED));
  }

  private static int number(Map<QueueAttributeName, String> values, QueueAttributeName name) {
    String value = values.get(name);
    if (value == null) {
      throw new IllegalStateException("the queue did not say its " + name);
    }
    return Integer.parseInt(value);
  }

  @Override
  public void close() {
    client.close();
  }
}
