package io.queueworker.observe;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.queueworker.DuplicateCause;
import io.queueworker.LossReason;
import io.queueworker.PauseReason;
import io.queueworker.observe.WorkerEvent.HoldReason;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Counts what happens in one worker with meters of Micrometer, as {@code docs/metrics.md} lists them. All carry the tags
 * {@code queue} and {@code worker}, exist from the start where their other tags are known, and are removed by {@link
 * #close()}.
 *
 * <p>Two workers of one process that share queue and worker id share their meters, and the gauges of the first win.
 *
 * <p>To be registered as inline: it does nothing but count. Thread-safe.
 */
public final class MicrometerListener implements WorkerListener, AutoCloseable {

  private final WorkerMeters meters;
  private final Counter receives;
  private final MetersByTag receivesFailed;
  private final Counter pollsReplaced;
  private final Map<PauseReason, Counter> pauses;
  private final MetersByTag permissionsDenied;
  private final Counter clockGaps;
  private final Counter internalErrors;
  private final Counter userErrors;
  private final Counter received;
  private final Map<LossReason, Counter> unstarted;
  private final Timer handle;
  private final Timer commit;
  private final Counter committed;
  private final Counter failed;
  private final Counter cutShort;
  private final Counter suppressed;
  private final Map<DuplicateCause, Counter> duplicates;
  private final Map<HoldReason, Counter> held;
  private final Counter leftForRedrive;
  private final Counter rejected;
  private final Counter rejectsRetried;
  private final Counter rejectsGivenUp;
  private final Counter commitsUnknown;
  private final Counter gateWarnings;
  private final Counter uncertain;
  private final Counter extensionsSent;
  private final Counter extensionsFailed;
  private final Map<LossReason, Counter> leasesLost;
  private final Counter handlersHung;
  private final Counter deletes;
  private final Counter deletesRetried;
  private final Counter deletesGivenUp;
  private final Counter releases;
  private final Counter releasesFailed;

  private MicrometerListener(WorkerMeters meters, Gauges gauges) {
    this.meters = meters;
    receives = meters.counter("queueworker.receives");
    receivesFailed = meters.countersByOpenTag("queueworker.receives.failed", "kind");
    pollsReplaced = meters.counter("queueworker.polls.replaced");
    pauses = meters.countersByEnum("queueworker.pauses", "reason", PauseReason.class);
    permissionsDenied = meters.countersByOpenTag("queueworker.permissions.denied", "action");
    clockGaps = meters.counter("queueworker.clock.gaps");
    internalErrors = meters.counter("queueworker.errors.internal");
    userErrors = meters.counter("queueworker.errors.user");
    received = meters.counter("queueworker.messages.received");
    unstarted = meters.countersByEnum("queueworker.messages.unstarted", "reason", LossReason.class);
    handle = meters.timer("queueworker.handle");
    commit = meters.timer("queueworker.commit");
    committed = meters.counter("queueworker.messages.handled", "outcome", "committed");
    failed = meters.counter("queueworker.messages.handled", "outcome", "failed");
    cutShort = meters.counter("queueworker.messages.handled", "outcome", "cut_short");
    suppressed = meters.counter("queueworker.messages.suppressed");
    duplicates = meters.countersByEnum("queueworker.duplicates", "cause", DuplicateCause.class);
    held = meters.countersByEnum("queueworker.messages.held", "reason", HoldReason.class);
    leftForRedrive = meters.counter("queueworker.messages.left");
    rejected = meters.counter("queueworker.messages.rejected");
    rejectsRetried = meters.counter("queueworker.rejects.failed", "outcome", "retried");
    rejectsGivenUp = meters.counter("queueworker.rejects.failed", "outcome", "given_up");
    commitsUnknown = meters.counter("queueworker.commits.unknown");
    gateWarnings = meters.counter("queueworker.gate.warnings");
    uncertain = meters.counter("queueworker.messages.uncertain");
    extensionsSent = meters.counter("queueworker.extensions.sent");
    extensionsFailed = meters.counter("queueworker.extensions.failed");
    leasesLost = meters.countersByEnum("queueworker.leases.lost", "reason", LossReason.class);
    handlersHung = meters.counter("queueworker.handlers.hung");
    deletes = meters.counter("queueworker.deletes");
    deletesRetried = meters.counter("queueworker.deletes.failed", "outcome", "retried");
    deletesGivenUp = meters.counter("queueworker.deletes.failed", "outcome", "given_up");
    releases = meters.counter("queueworker.releases");
    releasesFailed = meters.counter("queueworker.releases.failed");
    gauges(gauges);
  }

  /**
   * Registers the meters of one worker and returns the listener that counts.
   *
   * @param registry where to register
   * @param queue the queue's name, the tag {@code queue}
   * @param worker the worker's id, the tag {@code worker}
   * @param gauges what to read when meters are published
   * @throws IllegalArgumentException when the registry holds a meter of another type under a name of these
   */
  public static MicrometerListener bind(MeterRegistry registry, String queue, String worker, Gauges gauges) {
    WorkerMeters meters = new WorkerMeters(registry, queue, worker);
    try {
      return new MicrometerListener(meters, gauges);
    } catch (RuntimeException e) {
      meters.close();
      throw e;
    }
  }

  private void gauges(Gauges gauges) {
    meters.number("queueworker.messages.inflight", gauges.inFlight());
    meters.number("queueworker.handlers.stuck", gauges.stuck());
    meters.number("queueworker.paused", gauges.paused());
    meters.number("queueworker.duration.samples", () -> gauges.durations().get().count());
    meters.number(
        "queueworker.duration.unfinished",
        () -> {
          Durations now = gauges.durations().get();
          return now.cutOff() + now.running();
        });
    meters.seconds("queueworker.duration.p50", gauges.durations(), Durations::p50);
    meters.seconds("queueworker.duration.p90", gauges.durations(), Durations::p90);
    meters.seconds("queueworker.duration.p99", gauges.durations(), Durations::p99);
    meters.seconds("queueworker.duration.p999", gauges.durations(), Durations::p999);
    meters.seconds("queueworker.duration.max", gauges.durations(), Durations::max);
    HealthMeters.register(meters, gauges.health());
  }

  @Override
  public void onEvent(EventContext context, WorkerEvent event) {
    switch (event) {
      case WorkerEvent.ReceiveCompleted e -> receives.increment();
      case WorkerEvent.ReceiveFailed e -> receivesFailed.increment(e.kind());
      case WorkerEvent.PollReplaced e -> pollsReplaced.increment();
      case WorkerEvent.Paused e -> count(pauses, e.reason());
      case WorkerEvent.PermissionDenied e -> permissionsDenied.increment(e.action());
      case WorkerEvent.ClockGap e -> clockGaps.increment();
      case WorkerEvent.InternalError e -> internalErrors.increment();
      case WorkerEvent.UserCodeFailed e -> userErrors.increment();
      case WorkerEvent.Received e -> received.increment();
      case WorkerEvent.NotStarted e -> count(unstarted, e.reason());
      case WorkerEvent.HandlerReturned e -> handle.record(e.took().toNanos(), TimeUnit.NANOSECONDS);
      case WorkerEvent.Committed e -> {
        committed.increment();
        commit.record(e.sinceReceived().toNanos(), TimeUnit.NANOSECONDS);
      }
      case WorkerEvent.Failed e -> failed.increment();
      case WorkerEvent.CutShort e -> cutShort.increment();
      case WorkerEvent.Suppressed e -> {
        suppressed.increment();
        count(duplicates, e.diagnosis().cause());
      }
      case WorkerEvent.HeldBack e -> count(held, e.reason());
      case WorkerEvent.LeftForRedrive e -> leftForRedrive.increment();
      case WorkerEvent.Rejected e -> rejected.increment();
      case WorkerEvent.RejectFailed e -> (e.retryIn().isPresent() ? rejectsRetried : rejectsGivenUp).increment();
      case WorkerEvent.CommitUnknown e -> commitsUnknown.increment();
      case WorkerEvent.GateWarning e -> gateWarnings.increment();
      case WorkerEvent.EffectUncertain e -> uncertain.increment();
      case WorkerEvent.ExtendSent e -> extensionsSent.increment();
      case WorkerEvent.ExtendFailed e -> extensionsFailed.increment();
      case WorkerEvent.LeaseLost e -> count(leasesLost, e.reason());
      case WorkerEvent.HandlerStuck e -> handlersHung.increment();
      case WorkerEvent.Deleted e -> deletes.increment();
      case WorkerEvent.DeleteFailed e -> (e.retryIn().isPresent() ? deletesRetried : deletesGivenUp).increment();
      case WorkerEvent.Released e -> releases.increment();
      case WorkerEvent.ReleaseFailed e -> releasesFailed.increment();
      default -> {
        // Beginnings and ends that a gauge shows, or whose counterpart is counted.
      }
    }
  }

  /** Removes every meter of this worker; what happens afterwards is not counted. Calling it again does nothing. */
  @Override
  public void close() {
    meters.close();
  }

  private static <E extends Enum<E>> void count(Map<E, Counter> counters, E value) {
    Counter counter = counters.get(value);
    if (counter != null) {
      counter.increment();
    }
  }
}
