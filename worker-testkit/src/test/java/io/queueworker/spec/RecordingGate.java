package io.queueworker.spec;

import io.queueworker.gate.Admission;
import io.queueworker.gate.Admission.Completion;
import io.queueworker.gate.Attempt;
import io.queueworker.gate.AttemptInfo;
import io.queueworker.gate.GateKey;
import io.queueworker.gate.IdempotencyGate;
import io.queueworker.gate.LeaseStory;
import io.queueworker.timing.Timing;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A transactional gate in virtual time that records of each key what a JdbcGate does, and shows it all or in part. An attempt that
 * comes too late finds out at its commit. Not thread-safe.
 */
final class RecordingGate implements IdempotencyGate<String> {

  /** Whether it shows how the lease of the completing attempt stood. */
  boolean tellsLease = true;

  /** Whether it shows how long ago the completion was. */
  boolean tellsAge = true;

  /** How many commits are yet to be made without an answer. */
  int unanswered;

  private final Timing timing;
  private final Map<GateKey, Row> rows = new HashMap<>();

  RecordingGate(Timing timing) {
    this.timing = timing;
  }

  /** The record of one completed key. */
  private record Row(AttemptInfo by, Instant startedAt, Duration took, long completedAt, LeaseStory lease,
      AtomicInteger again) {}

  @Override
  public void open() {}

  @Override
  public boolean transactional() {
    return true;
  }

  @Override
  public Admission<String> admit(GateKey key, AttemptInfo info) {
    Optional<Completion> done = done(key);
    return done.isPresent()
        ? new Admission.AlreadyDone<>(done)
        : new Admission.Fresh<>(new OneAttempt(key, info, timing.now(), timing.nanoTime()));
  }

  private Optional<Completion> done(GateKey key) {
    return Optional.ofNullable(rows.get(key)).map(
        row -> new Completion(
            row.by.worker(),
            row.by.messageId(),
            row.by.receiveCount(),
            row.startedAt,
            row.took,
            row.again.incrementAndGet(),
            tellsAge ? Optional.of(Duration.ofNanos(timing.nanoTime() - row.completedAt)) : Optional.empty(),
            tellsLease ? row.lease : LeaseStory.UNKNOWN));
  }

  /** One run's hold on a key. */
  private final class OneAttempt implements Attempt<String> {
    private final GateKey key;
    private final AttemptInfo info;
    private final Instant startedAt;
    private final long startedNanos;

    OneAttempt(GateKey key, AttemptInfo info, Instant startedAt, long startedNanos) {
      this.key = key;
      this.info = info;
      this.startedAt = startedAt;
      this.startedNanos = startedNanos;
    }

    @Override
    public String effects() {
      return "";
    }

    @Override
    public Optional<Outcome> verdict() {
      return Optional.empty();
    }

    @Override
    public Outcome commit() {
      Optional<Completion> earlier = done(key);
      if (earlier.isPresent()) {
        return new Outcome.AlreadyDone(earlier);
      }
      long now = timing.nanoTime();
      rows.put(
          key,
          new Row(info, startedAt, Duration.ofNanos(now - startedNanos), now, info.lease().get(), new AtomicInteger()));
      if (unanswered > 0) {
        unanswered--;
        return new Outcome.CommitUnknown(new IllegalStateException("the connection was closed"));
      }
      return new Outcome.Committed();
    }

    @Override
    public boolean rollback() {
      return false;
    }
  }
}
