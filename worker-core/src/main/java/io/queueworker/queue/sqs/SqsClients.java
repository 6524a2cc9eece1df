package io.queueworker.queue.sqs;

import java.time.Duration;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.SqsClientBuilder;

/**
 * The two clients of one queue: long polls must not take the connections that deletes and extensions need
 * (docs/queue-facts.md A9). Immutable; the clients are thread-safe.
 *
 * @param receive for receives
 * @param control for everything else
 */
record SqsClients(SqsClient receive, SqsClient control) {

  private static final int CONNECTIONS = 64;
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);

  /** Longer than any call: what bounds a call is the timeout that each request carries. */
  private static final Duration SOCKET_TIMEOUT = Duration.ofSeconds(60);

  /**
   * Builds both for a queue. Credentials come from the SDK's default chain; the region from the URL's host when it is
   * one of AWS, else from the default chain.
   *
   * @throws IllegalArgumentException when no region is known
   */
  static SqsClients of(SqsUrl queue) {
    SqsClient receive = client(queue);
    try {
      return new SqsClients(receive, client(queue));
    } catch (RuntimeException | Error failed) {
      receive.close();
      throw failed;
    }
  }

  /** A client that retries nothing: the worker owns retries, and it alone knows how much of a lease is left. */
  private static SqsClient client(SqsUrl queue) {
    SqsClientBuilder builder =
        SqsClient.builder()
            .httpClientBuilder(
                Apache5HttpClient.builder()
                    .maxConnections(CONNECTIONS)
                    .connectionTimeout(CONNECT_TIMEOUT)
                    .connectionAcquisitionTimeout(CONNECT_TIMEOUT)
                    .socketTimeout(SOCKET_TIMEOUT))
            .overrideConfiguration(config -> config.retryStrategy(AwsRetryStrategy.doNotRetry()));
    queue.region().ifPresent(builder::region);
    queue.endpoint().ifPresent(builder::endpointOverride);
    try {
      return builder.build();
    } catch (SdkClientException incomplete) {
      throw new IllegalArgumentException(
          "No client can be built for the queue "
              + queue.text()
              + ": "
              + incomplete.getMessage()
              + " The host of the URL names no AWS region, so set AWS_REGION or the system property aws.region, or"
              + " build the clients yourself and pass them to SqsQueue.at(url, receiveClient, controlClient).",
          incomplete);
    }
  }

  /** Whether a client sends a failed call again by itself; false when it does not say. */
  static boolean repeatsCalls(SqsClient client) {
    try {
      return client
          .serviceClientConfiguration()
          .overrideConfiguration()
          .retryStrategy()
          .map(strategy -> strategy.maxAttempts() > 1)
          .orElse(false);
    } catch (UnsupportedOperationException wrapped) {
      return false; // a wrapper that leaves this method to the interface
    }
  }
}
