package io.queueworker;

import io.queueworker.Health.DrainProgress;
import io.queueworker.Health.Oldest;
import io.queueworker.Health.Status;
import io.queueworker.lease.Lease;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Looks how a worker is doing, from what its parts know. Thread-safe; waits for nobody. */
final class HealthLook {

  private final Pipeline pipeline;
  private final WorkerSettings settings;

  /** Looks at this worker. */
  HealthLook(Pipeline pipeline, WorkerSettings settings) {
    this.pipeline = pipeline;
    this.settings = settings;
  }

  /**
   * The beats of all leases.
   *
   * @param late how many are late
   * @param latest how late the latest is, or would be by now
   * @param oldest how long the oldest lease has been held
   */
  record Beats(int late, Duration latest, Duration oldest) {}

  /**
   * How it is doing.
   *
   * @param drain the close, once there is one
   * @param warnings what the start found
   */
  Health of(WorkerState state, Optional<Drain> drain, List<String> warnings) {
    long now = pipeline.clock.now();
    Beats beats = beats(now);
    Optional<Oldest> oldest = pipeline.threads.oldest();
    Optional<DrainProgress> progress = drain.map(Drain::progress);
    List<HealthReason> reasons = new HealthReasons(pipeline, settings, now).of(state, beats, progress);
    return new Health(
        reasons.isEmpty() ? Status.UP : reasons.getFirst().status(),
        reasons,
        state,
        pipeline.pollLoop.lastReceive(),
        state == WorkerState.RUNNING ? pipeline.pollLoop.watch().due(now) : Optional.empty(),
        beats.latest(),
        pipeline.pollLoop.inFlight(),
        longer(beats.oldest(), oldest.map(Oldest::running).orElse(Duration.ZERO)),
        oldest,
        pipeline.threads.stuck(),
        pipeline.breakerWords(),
        pipeline.pauses.reasons(),
        pipeline.permissions.denied(),
        progress,
        pipeline.reading.sample(),
        warnings);
  }

  private Beats beats(long now) {
    long tolerated = HealthReasons.lateBeat(pipeline.terms.get().visibilityTimeout()).toNanos();
    int late = 0;
    long latest = 0;
    long oldest = 0;
    for (Lease lease : pipeline.registry.all()) {
      long behind = lease.beatLate(now);
      late += behind >= tolerated ? 1 : 0;
      latest = Math.max(latest, behind);
      oldest = Math.max(oldest, lease.age(now));
    }
    return new Beats(late, Duration.ofNanos(latest), Duration.ofNanos(oldest));
  }

  private static Duration longer(Duration a, Duration b) {
    return a.compareTo(b) >= 0 ? a : b;
  }
}
