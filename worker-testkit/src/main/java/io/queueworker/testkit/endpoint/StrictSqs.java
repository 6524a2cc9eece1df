package io.queueworker.testkit.endpoint;

import io.queueworker.queue.MessageQueue;
import io.queueworker.queue.sqs.SqsQueue;
import io.queueworker.timing.SystemTiming;
import io.queueworker.timing.Timing;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Predicate;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.api.RetryStrategy;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * An endpoint in this process that keeps the rules of Amazon SQS where emulators are lenient: old receipts act on a
 * standard queue and are refused on a FIFO queue, deletes are idempotent, a message is held for 12 hours at most
 * (docs/queue-facts.md). It speaks the JSON protocol on a port of 127.0.0.1, calls go wrong by script, and every call is
 * kept, so that a test can ask for what a worker must never do.
 *
 * {@snippet :
 * try (StrictSqs sqs = StrictSqs.start()) {
 *   StrictQueue orders = sqs.queue("orders").visibility(Duration.ofSeconds(10)).maxReceiveCount(3).create();
 *   ScriptedFault outage = sqs.next(3, Operation.DELETE, HttpFault.error(ServiceError.internalFailure()));
 *   try (QueueWorker worker = QueueWorker.of(orders.connect()).handler(handler).pollWait(Duration.ofSeconds(1)).start()) {
 *     orders.send("a", "b", "c");
 *     orders.awaitEmpty(Duration.ofSeconds(30));
 *   }
 *   assertThat(outage.fired()).isEqualTo(3);
 *   assertThat(sqs.trespasses()).isEmpty();
 * }
 * }
 *
 * <p>It starts in a moment and keeps everything in memory, the log of calls too. Time is real. A client that went away does
 * not end its long poll: the poll still takes the next message, as on AWS. Whether requests are signed, and by whom, is
 * nothing to it.
 *
 * <p>Thread-safe.
 */
public final class StrictSqs implements AutoCloseable {

  /** The region that its ARNs name. */
  private static final Region REGION = Region.US_EAST_1;

  private final Timing timing;
  private final ReentrantLock engines = new ReentrantLock();
  private final Defects defects = new Defects();
  private final LockedAlarm alarm;
  private final FaultScript script = new FaultScript();
  private final CallLog log = new CallLog();
  private final HttpFront front;
  private final Queues queues;
  private final CallFlow flow;
  private final SqsClient client;
  private final SqsClient receiveClient;
  private final SqsClient controlClient;

  private StrictSqs(HttpFront front, Timing timing) {
    this.front = front;
    this.timing = timing;
    this.alarm = new LockedAlarm(timing, engines, defects);
    Instant start = timing.now().minusNanos(alarm.now());
    queues = new Queues(endpoint().toString(), alarm);
    flow = new CallFlow(timing, engines, new Operations(queues, start), script, log, defects);
    front.start(timing, flow::serve);
    client = newClient(AwsRetryStrategy.standardRetryStrategy());
    receiveClient = newClient(AwsRetryStrategy.doNotRetry());
    controlClient = newClient(AwsRetryStrategy.doNotRetry());
  }

  /** Starts an endpoint on a free port. */
  public static StrictSqs start() {
    return start(0);
  }

  /**
   * Starts an endpoint.
   *
   * @param port on 127.0.0.1, 1 to 65,535; 0 for a free one
   * @throws UncheckedIOException when the port is taken
   */
  public static StrictSqs start(int port) {
    return start(port, SystemTiming.instance());
  }

  /**
   * Starts an endpoint with a clock and threads of its own.
   *
   * @param port on 127.0.0.1, 1 to 65,535; 0 for a free one
   * @param timing real time, which may leap ahead: the rules go by it, while long polls and delays wait by the real clock
   * @throws UncheckedIOException when the port is taken
   */
  public static StrictSqs start(int port, Timing timing) {
    return new StrictSqs(HttpFront.bind(port), timing);
  }

  /**
   * A client for this endpoint, which the caller closes.
   *
   * @param retries when it repeats calls by itself
   */
  public SqsClient newClient(RetryStrategy retries) {
    return SqsClient.builder()
        .endpointOverride(endpoint())
        .region(REGION)
        .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")))
        .overrideConfiguration(config -> config.retryStrategy(retries))
        .build();
  }

  /** The port on 127.0.0.1. */
  public int port() {
    return front.port();
  }

  /** Where clients send their requests. */
  public URI endpoint() {
    return URI.create("http://127.0.0.1:" + port());
  }

  /** A client for tests and producers, with the SDK's retries; closed with the endpoint. */
  public SqsClient client() {
    return client;
  }

  /** The port for a worker to the queue with this URL. Closing it leaves the endpoint and its clients open. */
  public MessageQueue connect(String queueUrl) {
    return SqsQueue.at(queueUrl, receiveClient, controlClient);
  }

  /**
   * Begins a queue; {@link StrictQueueBuilder#create} makes it.
   *
   * @param name letters, digits, hyphens and underscores, 80 at most; {@code .fifo} at its end makes a FIFO queue
   */
  public StrictQueueBuilder queue(String name) {
    return new StrictQueueBuilder(this, name);
  }

  /** Makes the next call of this operation, on any queue, go wrong. */
  public ScriptedFault next(Operation operation, HttpFault fault) {
    return next(1, operation, fault);
  }

  /** Makes the next {@code times} calls of this operation, on any queue, go wrong. */
  public ScriptedFault next(int times, Operation operation, HttpFault fault) {
    return next(times, call -> call.operation() == operation, fault);
  }

  /**
   * Makes the next {@code times} calls of a kind go wrong. Lines of the script are asked in the order of writing; the first
   * one that takes a call decides.
   *
   * @param calls asked about each call as it arrives, so without results; must not block. When it throws, the call is reset, and
   *        {@link #close} throws too
   * @param times 1 or more
   */
  public ScriptedFault next(int times, Predicate<EndpointCall> calls, HttpFault fault) {
    return script.add(new ScriptedFault(timing, calls, times, fault));
  }

  /** Makes every call of this operation, on any queue, go wrong until the line is closed. */
  public ScriptedFault always(Operation operation, HttpFault fault) {
    return next(Integer.MAX_VALUE, operation, fault);
  }

  /** Makes every call of a kind go wrong until the line is closed. */
  public ScriptedFault always(Predicate<EndpointCall> calls, HttpFault fault) {
    return next(Integer.MAX_VALUE, calls, fault);
  }

  /** All calls so far, in the order of arrival, each as far as it has come. */
  public List<EndpointCall> calls() {
    return log.calls();
  }

  /** The calls of one operation so far, in the order of arrival. */
  public List<EndpointCall> calls(Operation operation) {
    return log.calls().stream().filter(call -> call.operation() == operation).toList();
  }

  /**
   * The changes of visibility so far for messages that their receipt did not hold when the call arrived; see {@link
   * EndpointCall#isTrespass}.
   */
  public List<EndpointCall> trespasses() {
    return log.calls().stream().filter(EndpointCall::isTrespass).toList();
  }

  /**
   * Answers what waits with nothing, ends all connections and gives the port back. Close workers first. A second close does
   * nothing.
   *
   * @throws IllegalStateException when the endpoint, or a condition in the script, has failed: calls that met this were reset
   */
  @Override
  public void close() {
    flow.close();
    withQueues(any -> {
      any.end();
      return any;
    });
    alarm.close();
    flow.awaitAnswered();
    client.close();
    receiveClient.close();
    controlClient.close();
    front.close();
    defects.throwIfAny();
  }

  /** Asks the queues under the lock of the engines. */
  <T> T withQueues(Function<Queues, T> question) {
    engines.lock();
    try {
      return question.apply(queues);
    } finally {
      engines.unlock();
    }
  }

  @Override
  public String toString() {
    return "StrictSqs[" + endpoint() + "]";
  }
}
