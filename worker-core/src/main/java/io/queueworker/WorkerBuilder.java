package io.queueworker;

import static io.queueworker.SettingsDraft.given;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.queueworker.gate.IdempotencyGate;
import io.queueworker.observe.Gauges;
import io.queueworker.observe.MicrometerListener;
import io.queueworker.observe.Observations;
import io.queueworker.observe.WorkerListener;
import io.queueworker.queue.MessageQueue;
import io.queueworker.timing.SystemTiming;
import io.queueworker.timing.Timing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Says what a worker does and how. Every setting has a default; all are checked together by {@link #build()}. Null is refused
 * with a {@link NullPointerException} that names the setting. Builds one worker. Not thread-safe.
 *
 * @param <T> what message bodies decode to
 */
public final class WorkerBuilder<T> {

  final MessageQueue queue;
  final List<WorkerListener> listeners = new ArrayList<>();
  final List<WorkerListener> inlineListeners = new ArrayList<>();
  Timing timing = SystemTiming.instance();
  Optional<Function<Gauges, MicrometerListener>> meters = Optional.empty();
  Observations observations = Observations.none();
  Optional<CircuitBreaker> circuit = Optional.empty();
  Optional<Duration> releaseAfter = Optional.empty();
  Optional<RateLimiter> rate = Optional.empty();

  private final WorkDraft<T> work;
  private final SettingsDraft settings = new SettingsDraft();
  private boolean built;

  WorkerBuilder(MessageQueue queue, BodyDecoder<? extends T> decoder) {
    this.queue = queue;
    this.work = new WorkDraft<>(decoder);
  }

  /** Sets how bodies are decoded; call it before the handler is given. The default leaves them text. */
  public <U> WorkerBuilder<U> decode(BodyDecoder<? extends U> bodyDecoder) {
    @SuppressWarnings("unchecked") WorkerBuilder<U> retyped = (WorkerBuilder<U>) this;
    retyped.work.decode(bodyDecoder);
    return retyped;
  }

  /** Sets the handler, without a gate: it runs again whenever its message comes again. */
  public WorkerBuilder<T> handler(MessageHandler<? super T> handler) {
    work.handler(handler);
    return this;
  }

  /**
   * Sets the handler behind a gate, so that the effect of each key happens once.
   *
   * @param gate decides whether a key may run, and commits its effect
   * @param key names the effect of a message
   * @param handler makes the effect with what the gate gives it
   */
  public <R> WorkerBuilder<T> once(IdempotencyGate<R> gate, KeyFunction<T> key, GatedHandler<T, R> handler) {
    work.once(gate, key, handler);
    return this;
  }

  /** Decides about failures. Default: retry after a random delay of up to 1 s, doubling per receive, up to 15 min. */
  public WorkerBuilder<T> failurePolicy(FailurePolicy policy) {
    work.failurePolicy = given("failurePolicy", policy);
    return this;
  }

  /** Keeps a message only while this is true; asked about once per beat while its handler runs, on a pool of its own. Default: always. */
  public WorkerBuilder<T> keepAliveWhile(Predicate<? super Delivery<T>> condition) {
    work.keepAliveWhile = Optional.of(given("keepAliveWhile", condition));
    return this;
  }

  /** Names this worker in logs, meters and gate records, 1 to 100 characters. Default: random. */
  public WorkerBuilder<T> workerId(String id) {
    settings.workerId = given("workerId", id);
    return this;
  }

  /** Messages in flight at most, 1 to 100,000. Default 64. */
  public WorkerBuilder<T> maxConcurrency(int messages) {
    settings.maxConcurrency = messages;
    return this;
  }

  /** Messages of one group worked on at once on a standard queue, 1 to maxConcurrency (docs/fairness.md). Default: no limit. */
  public WorkerBuilder<T> maxConcurrencyPerGroup(int messages) {
    settings.maxConcurrencyPerGroup = Optional.of(messages);
    return this;
  }

  /** Receives under way at most, 1 to 64. Default: one per ten of maxConcurrency, 8 at most. */
  public WorkerBuilder<T> maxPollers(int receives) {
    settings.maxPollers = Optional.of(receives);
    return this;
  }

  /** How long one receive may wait for a message, zero to the service's maximum. Default: that maximum, 20 s on SQS. */
  public WorkerBuilder<T> pollWait(Duration duration) {
    settings.pollWait = Optional.of(given("pollWait", duration));
    return this;
  }

  /**
   * The least time from the sending of a receive that came back part-full to the next, so that messages gather, 0 s to 10 s. On a
   * queue without order it is added to {@link #deleteLinger}. Default 0 s.
   */
  public WorkerBuilder<T> receiveLinger(Duration duration) {
    settings.receiveLinger = given("receiveLinger", duration);
    return this;
  }

  /** The visibility timeout to receive and extend with, 1 s to below maxHold. Default: the queue's own, read every five minutes. */
  public WorkerBuilder<T> visibility(Duration timeout) {
    settings.visibility = Optional.of(given("visibility", timeout));
    return this;
  }

  /** How long one extension, release or delete may take, 100 ms to 30 s. Default 3 s. */
  public WorkerBuilder<T> controlTimeout(Duration timeout) {
    settings.controlTimeout = given("controlTimeout", timeout);
    return this;
  }

  /** How long one handler run may last before it is interrupted and its message given up, up to maxHold. Default 1 h. */
  public WorkerBuilder<T> maxProcessingTime(Duration duration) {
    settings.maxProcessingTime = given("maxProcessingTime", duration);
    return this;
  }

  /** How long a handler may go without {@link Delivery#progress()} before its message is given up. Default: for ever. */
  public WorkerBuilder<T> stallTimeout(Duration duration) {
    settings.stallTimeout = Optional.of(given("stallTimeout", duration));
    return this;
  }

  /** How long a message may be held from its receive on. Default: the service's cap less 5 min, 11 h 55 min on SQS. */
  public WorkerBuilder<T> maxHold(Duration duration) {
    settings.maxHold = Optional.of(given("maxHold", duration));
    return this;
  }

  /** How long {@link QueueWorker#close()} may take: pollWait may take 90 % of it, or all but 2.5 s. Default 25 s. */
  public WorkerBuilder<T> drainTimeout(Duration duration) {
    settings.drainTimeout = given("drainTimeout", duration);
    return this;
  }

  /** How long a delete waits for others to fill its batch, 0 s to 10 s; see also {@link #receiveLinger}. Default 100 ms. */
  public WorkerBuilder<T> deleteLinger(Duration duration) {
    settings.deleteLinger = given("deleteLinger", duration);
    return this;
  }

  /** Whether leases are extended. Default true; off is for measuring and for tests. */
  public WorkerBuilder<T> heartbeat(boolean on) {
    settings.heartbeat = on;
    return this;
  }

  /**
   * After how long without a completed receive, although one was due, {@link QueueWorker#health()} is DOWN: more than pollWait
   * and receiveLinger together, up to a day. Default 2 min.
   */
  public WorkerBuilder<T> healthDownAfter(Duration duration) {
    settings.healthDownAfter = given("healthDownAfter", duration);
    return this;
  }

  /**
   * How often the queue is asked for how many messages it has, with the call that reads its visibility timeout: 5 s to 1 h, or
   * zero for never. Default: every five minutes.
   */
  public WorkerBuilder<T> sampleQueue(Duration every) {
    settings.sampleQueue = given("sampleQueue", every);
    return this;
  }

  /** Asks the dead-letter queue too, with one more call each time; needs {@code sqs:GetQueueAttributes} there. Default false. */
  public WorkerBuilder<T> sampleDeadLetters(boolean on) {
    settings.sampleDeadLetters = on;
    return this;
  }

  /**
   * Under what name the gate keeps this worker's keys, 1 to 200 characters. Default: the queue's name, without account and
   * region. Set it when queues of one name, in several regions or accounts, share a gate's table: with the default a key
   * done from one of them would suppress the same key from the others. Workers of one queue need one scope; a new scope
   * forgets what was done under the old one.
   */
  public WorkerBuilder<T> gateScope(String scope) {
    settings.gateScope = Optional.of(given("gateScope", scope));
    return this;
  }

  /**
   * Starts handlers only as {@code breaker} permits, and tells it of their outcomes: a handler that returned, one that threw,
   * a commit that failed. While it is open the worker receives nothing, and a message in flight is held under beats, so that
   * no receive count grows; half open, it tries with messages that are held. Set the breaker's slow-call threshold, 60 s by
   * itself, above what handlers take: slow ones alone can open it. Default: none.
   */
  public WorkerBuilder<T> circuitBreaker(CircuitBreaker breaker) {
    circuit = Optional.of(given("circuitBreaker", breaker));
    releaseAfter = Optional.empty();
    return this;
  }

  /** The same, but a message in flight is released with this delay instead of held, zero to 12 h; each one costs a receive. */
  public WorkerBuilder<T> circuitBreaker(CircuitBreaker breaker, Duration releaseWithDelay) {
    circuitBreaker(breaker);
    releaseAfter = Optional.of(given("circuitBreaker: the delay", releaseWithDelay));
    return this;
  }

  /**
   * Starts handlers no faster than {@code limiter} permits, one permission for each attempt that comes to its gate, waited for under lease.
   * Receives ask for what can start within a second. Default: none.
   */
  public WorkerBuilder<T> rateLimiter(RateLimiter limiter) {
    rate = Optional.of(given("rateLimiter", limiter));
    return this;
  }

  /** Adds a listener that hears events on a thread of its own, in order. */
  public WorkerBuilder<T> listener(WorkerListener listener) {
    listeners.add(given("listener", listener));
    return this;
  }

  /** Adds a listener that hears each event where it happens. It must be quick: it delays beats and polls. */
  public WorkerBuilder<T> inlineListener(WorkerListener listener) {
    inlineListeners.add(given("inlineListener", listener));
    return this;
  }

  /** Registers the worker's meters, tagged by queue and worker, until it closes. Default: none. */
  public WorkerBuilder<T> meters(MeterRegistry registry) {
    given("meters", registry);
    meters = Optional.of(gauges -> MicrometerListener.bind(registry, queue.name(), settings.workerId, gauges));
    return this;
  }

  /** Observes each attempt at a message in this registry, for traces (docs/tracing.md). Default: none. */
  public WorkerBuilder<T> observations(ObservationRegistry registry) {
    observations = Observations.in(given("observations", registry));
    return this;
  }

  /** Replaces clock, waiting, randomness and threads: for simulations. */
  public WorkerBuilder<T> timing(Timing replacement) {
    timing = given("timing", replacement);
    return this;
  }

  /**
   * Makes the worker; it does nothing before {@link QueueWorker#start()}. The queue is the worker's from now on, which closes
   * it; when this throws, it is still the caller's.
   *
   * @throws IllegalArgumentException that lists everything wrong with the settings; they can be corrected and built again
   * @throws IllegalStateException when this builder has built its worker: two would share a queue that each closes
   */
  public QueueWorker build() {
    if (built) {
      throw new IllegalStateException(
          "the worker for queue " + queue.name() + " was built before; begin with QueueWorker.of(…) for another");
    }
    WorkerSettings chosen = settings.checked(queue, releaseAfter, work.hasHandler());
    QueueWorker worker = new QueueWorker(new Pipeline(this, chosen, work.of(chosen.gateScope())), chosen);
    built = true;
    return worker;
  }

  /** {@link #build()} and {@link QueueWorker#start()}. */
  public QueueWorker start() {
    return build().start();
  }
}
