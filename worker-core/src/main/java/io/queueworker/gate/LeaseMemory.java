package io.queueworker.gate;

import io.queueworker.gate.Admission.Completion;
import io.queueworker.timing.Timing;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * The records of a leased gate in the memory of this process. They are never removed and end with it.
 *
 * <p>Thread-safe.
 */
final class LeaseMemory implements LeaseRecords {

  private final Timing timing;
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by lock.
  private final Map<GateKey, Entry> entries = new HashMap<>();
  private long fences;

  /** Records whose times are those of {@code timing}. */
  LeaseMemory(Timing timing) {
    this.timing = timing;
  }

  @Override
  public void open() {}

  @Override
  public Optional<LeaseRecord> look(GateKey key) {
    return locked(now -> Optional.ofNullable(entries.get(key)).map(entry -> entry.at(now)));
  }

  @Override
  public OptionalLong begin(GateKey key, AttemptInfo info, String owner) {
    return locked(
        now -> {
          if (entries.containsKey(key)) {
            return OptionalLong.empty();
          }
          entries.put(key, new Entry(now, now, info, owner));
          return OptionalLong.of(++fences);
        });
  }

  @Override
  public OptionalLong takeOver(GateKey key, AttemptInfo info, String owner, String from) {
    return locked(
        now -> {
          Entry before = entries.get(key);
          if (before == null || !before.isInProgressOf(from) || before.expiresAt - now > 0) {
            return OptionalLong.empty();
          }
          entries.put(key, new Entry(before.firstAt, now, info, owner));
          return OptionalLong.of(++fences);
        });
  }

  @Override
  public boolean renew(GateKey key, String owner, Duration length) {
    return change(key, owner, (entry, now) -> entry.expiresAt = now + length.toNanos());
  }

  @Override
  public boolean restart(GateKey key, String owner) {
    return change(key, owner, (entry, now) -> entry.firstAt = now);
  }

  @Override
  public boolean complete(GateKey key, String owner, LeaseStory lease) {
    return change(
        key,
        owner,
        (entry, now) -> {
          entry.completedAt = Optional.of(now);
          entry.lease = lease;
        });
  }

  @Override
  public void letGo(GateKey key, String owner) {
    change(key, owner, (entry, now) -> entry.expiresAt = now);
  }

  @Override
  public void remove(GateKey key, String owner) {
    change(key, owner, (entry, now) -> entries.remove(key));
  }

  @Override
  public Completion suppressed(GateKey key, LeaseRecord done) {
    return locked(
        now -> {
          Entry entry = entries.get(key);
          if (entry == null) {
            return done.by();
          }
          entry.suppressed++;
          return entry.by(now);
        });
  }

  private boolean change(GateKey key, String owner, Change change) {
    return locked(
        now -> {
          Entry entry = entries.get(key);
          if (entry == null || !entry.isInProgressOf(owner)) {
            return false;
          }
          change.make(entry, now);
          return true;
        });
  }

  private <A> A locked(Function<Long, A> step) {
    lock.lock();
    try {
      return step.apply(timing.nanoTime());
    } finally {
      lock.unlock();
    }
  }

  /** A change of one record. */
  @FunctionalInterface
  private interface Change {
    void make(Entry entry, long now);
  }

  /** One record. Guarded by the lock. */
  private final class Entry {
    private final long startedAt;
    private final Instant startedAtForPeople = timing.now();
    private final AttemptInfo info;
    private final String owner;
    private long firstAt;
    private long expiresAt;
    private Optional<Long> completedAt = Optional.empty();
    private LeaseStory lease = LeaseStory.UNKNOWN;
    private long suppressed;

    Entry(long firstAt, long now, AttemptInfo info, String owner) {
      this.firstAt = firstAt;
      this.startedAt = now;
      this.info = info;
      this.owner = owner;
      this.expiresAt = now + info.leaseLeft().toNanos();
    }

    boolean isInProgressOf(String token) {
      return completedAt.isEmpty() && owner.equals(token);
    }

    LeaseRecord at(long now) {
      return new LeaseRecord(
          completedAt.isPresent(), now - expiresAt >= 0, owner, Duration.ofNanos(now - firstAt), by(now));
    }

    Completion by(long now) {
      return new Completion(
          info.worker(),
          info.messageId(),
          info.receiveCount(),
          startedAtForPeople,
          Duration.ofNanos(completedAt.orElse(now) - startedAt),
          suppressed,
          completedAt.map(at -> Duration.ofNanos(now - at)),
          lease);
    }
  }
}
