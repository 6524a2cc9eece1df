package io.queueworker.benchmarks;

import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/** Clients of a {@link StubQueue}. Thread-safe. */
final class StubClients implements Clients {

  /** Where the queue is said to be; nobody asks there. */
  static final String URL = "http://127.0.0.1:1/000000000000/stub";

  private final RequestCounts counts = new RequestCounts();
  private final SqsClient client;
  private final SqsAsyncClient async;

  /** Clients of this queue. */
  StubClients(StubQueue queue) {
    StubAnswers answers = new StubAnswers(queue, counts);
    this.client = new StubSqsClient(answers);
    this.async = new StubSqsAsyncClient(answers);
  }

  @Override
  public SqsClient receive() {
    return client;
  }

  @Override
  public SqsClient control() {
    return client;
  }

  @Override
  public SqsAsyncClient async() {
    return async;
  }

  @Override
  public RequestCounts counts() {
    return counts;
  }
}
