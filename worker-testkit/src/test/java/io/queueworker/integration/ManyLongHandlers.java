package io.queueworker.integration;

import static io.queueworker.integration.Rig.LONG;
import static io.queueworker.integration.Rig.SHORT_POLL;
import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.QueueWorker;
import io.queueworker.observe.WorkerEvent.Committed;
import io.queueworker.observe.WorkerEvent.HandlerStarted;
import io.queueworker.observe.WorkerEvent.LeaseLost;
import io.queueworker.observe.WorkerEvent.Received;
import io.queueworker.queue.MessageQueue;
import io.queueworker.queue.sqs.SqsQueue;
import io.queueworker.testkit.Invariants;
import io.queueworker.testkit.Trail;
import io.queueworker.testkit.elasticmq.ElasticMq;
import io.queueworker.testkit.elasticmq.TestQueueHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequest;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityRequest;

/**
 * Two workers that share the messages of a queue, each of which takes three visibility timeouts, and what that costs them in
 * calls.
 */
final class ManyLongHandlers {

  private static final int WORKERS = 2;

  private final ElasticMq server;
  private final TestQueueHandle queue;
  private final int messages;
  private final Duration visibility;
  private final UnaryOperator<MessageQueue> port;

  /**
   * @param visibility the queue's visibility timeout
   * @param port wraps the queue that a worker gets
   */
  ManyLongHandlers(
      ElasticMq server, TestQueueHandle queue, int messages, Duration visibility, UnaryOperator<MessageQueue> port) {
    this.server = server;
    this.queue = queue;
    this.messages = messages;
    this.visibility = visibility;
    this.port = port;
  }

  /** Counts the extension requests that one client sends over the wire. */
  private static final class ExtensionCalls implements ExecutionInterceptor {
    private final AtomicInteger sent = new AtomicInteger();

    @Override
    public void beforeTransmission(Context.BeforeTransmission context, ExecutionAttributes attributes) {
      if (context.request() instanceof ChangeMessageVisibilityBatchRequest
          || context.request() instanceof ChangeMessageVisibilityRequest) {
        sent.incrementAndGet();
      }
    }
  }

  /** One worker, its trail and its calls. */
  private record Side(QueueWorker worker, Trail trail, ExtensionCalls calls, SqsClient client) {}

  private Side start(String id) {
    ExtensionCalls calls = new ExtensionCalls();
    SqsClient client =
        SqsClient.builder()
            .endpointOverride(server.endpoint())
            .region(Region.EU_WEST_1)
            .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")))
            .overrideConfiguration(
                config -> config.retryStrategy(AwsRetryStrategy.doNotRetry()).addExecutionInterceptor(calls))
            .build();
    Trail trail = Trail.create();
    QueueWorker worker =
        QueueWorker.of(port.apply(SqsQueue.at(queue.url(), server.client(), client)))
            .handler(delivery -> Rig.work(visibility.multipliedBy(3)))
            .workerId(id)
            .maxConcurrency(messages / WORKERS)
            .pollWait(SHORT_POLL)
            .inlineListener(trail)
            .start();
    return new Side(worker, trail, calls, client);
  }

  /** How many calls a worker made, and how many it may. */
  record Cost(int calls, int inFlight, long intervals) {

    /** One call for ten in flight in each beat interval, and ten percent. */
    int bound() {
      return (int) (1.1 * Math.ceilDiv(inFlight, 10) * intervals);
    }
  }

  /** Runs all messages, asserts that each handler started once under one receive, and tells what each worker spent. */
  List<Cost> run() {
    queue.send(IntStream.range(0, messages).mapToObj(Integer::toString).toArray(String[]::new));
    List<Side> sides = IntStream.range(0, WORKERS).mapToObj(i -> start("worker-" + i)).toList();
    try {
      queue.awaitEmpty(LONG);
    } finally {
      sides.forEach(side -> side.worker().close());
      sides.forEach(side -> side.client().close());
    }
    List<String> started = new ArrayList<>();
    for (Side side : sides) {
      side.trail().of(HandlerStarted.class).forEach(event -> started.add(event.messageId()));
      assertThat(side.trail().of(Received.class)).extracting(Received::receiveCount).containsOnly(1);
      assertThat(side.trail().of(LeaseLost.class)).isEmpty();
      Invariants.check(side.trail(), messages / WORKERS);
    }
    assertThat(started).hasSize(messages).doesNotHaveDuplicates();
    assertThat(queue.deadLetters().counts().total()).isZero();
    return sides.stream().map(this::cost).toList();
  }

  private Cost cost(Side side) {
    int inFlight = side.trail().count(Received.class);
    long begin = nanoTime(side.trail(), Received.class, 0);
    long end = nanoTime(side.trail(), Committed.class, inFlight - 1);
    return new Cost(side.calls().sent.get(), inFlight, (end - begin) / (visibility.toNanos() / 2));
  }

  private static long nanoTime(Trail trail, Class<?> kind, int index) {
    return trail.entries().stream()
        .filter(entry -> kind.isInstance(entry.event()))
        .skip(index)
        .findFirst()
        .orElseThrow()
        .context()
        .nanoTime();
  }
}
