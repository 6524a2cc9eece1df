package io.queueworker.testkit.elasticmq;

import io.queueworker.queue.MessageQueue;
import io.queueworker.queue.sqs.SqsQueue;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.elasticmq.rest.sqs.SQSRestServer;
import org.elasticmq.rest.sqs.SQSRestServerBuilder;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.api.RetryStrategy;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * An ElasticMQ server in this process, on a free port of the loopback interface, with clients for it. Its queues live in
 * memory and end with it.
 *
 * <p>The first start in a JVM takes some seconds. Close workers before the server: a server that still answers a long poll
 * stops only when the poll ends.
 *
 * <p>Thread-safe.
 */
public final class ElasticMq implements AutoCloseable {

  private static final Region REGION = Region.EU_WEST_1;
  private static final long LONGEST_STOP_SECONDS = 5;

  private final SQSRestServer server;
  private final int port;
  private final SqsClient client;
  private final SqsClient receiveClient;
  private final SqsClient controlClient;

  private ElasticMq(SQSRestServer server, int port) {
    this.server = server;
    this.port = port;
    this.client = newClient(AwsRetryStrategy.standardRetryStrategy());
    this.receiveClient = newClient(AwsRetryStrategy.doNotRetry());
    this.controlClient = newClient(AwsRetryStrategy.doNotRetry());
  }

  /** Starts a server and waits until it answers. */
  public static ElasticMq start() {
    SQSRestServer server = SQSRestServerBuilder.withInterface("127.0.0.1").withDynamicPort().start();
    return new ElasticMq(server, server.waitUntilStarted().localAddress().getPort());
  }

  private SqsClient newClient(RetryStrategy retries) {
    return SqsClient.builder()
        .endpointOverride(endpoint())
        .region(REGION)
        .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")))
        .overrideConfiguration(config -> config.retryStrategy(retries))
        .build();
  }

  /** The port on 127.0.0.1. */
  public int port() {
    return port;
  }

  /** Where clients send their requests. */
  public URI endpoint() {
    return URI.create("http://127.0.0.1:" + port);
  }

  /** A client for tests and producers; closed with the server. */
  public SqsClient client() {
    return client;
  }

  /** The port for a worker to the queue with this URL. Closing it leaves the server and its clients open. */
  public MessageQueue connect(String queueUrl) {
    return SqsQueue.at(queueUrl, receiveClient, controlClient);
  }

  /**
   * Makes a standard queue.
   *
   * @param name letters, digits, hyphens and underscores, at most 75
   * @param visibility its visibility timeout, in whole seconds
   * @param maxReceiveCount after how many receives a message moves to the dead-letter queue, which is made too; 0 for none
   */
  public TestQueueHandle createQueue(String name, Duration visibility, int maxReceiveCount) {
    return TestQueueHandle.create(this, name, visibility, maxReceiveCount, false);
  }

  /** Makes a FIFO queue; like {@link #createQueue}, with {@code .fifo} added to the name and at most 70 characters before. */
  public TestQueueHandle createFifoQueue(String name, Duration visibility, int maxReceiveCount) {
    return TestQueueHandle.create(this, name, visibility, maxReceiveCount, true);
  }

  /** Closes the clients and stops the server; waits at most five seconds for long polls that others left open. */
  @Override
  public void close() {
    receiveClient.close();
    controlClient.close();
    client.close();
    CompletableFuture<?> stopped = CompletableFuture.supplyAsync(server::stopAndWait);
    try {
      stopped.get(LONGEST_STOP_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException stillPolling) {
      // The server ends by itself with the last poll; its threads do not keep the JVM alive for longer.
    } catch (ExecutionException failed) {
      throw new IllegalStateException("ElasticMQ on port " + port + " did not stop", failed.getCause());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public String toString() {
    return "ElasticMq[" + endpoint() + "]";
  }
}
