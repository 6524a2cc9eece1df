package io.queueworker.settle;

import io.queueworker.lease.Lease;
import io.queueworker.lease.LeaseClock;
import io.queueworker.timing.KeeperLock;
import io.queueworker.timing.Timing;
import io.queueworker.timing.Timing.ThreadPool;
import io.queueworker.timing.Timing.WaitPoint;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Settles messages whose fate is decided: gathers deletes and releases into calls and has them sent on the control pool.
 *
 * <p>One task of that pool does the gathering; it does no I/O. Thread-safe; {@link #delete} and {@link #release} do not block.
 */
public final class Settler {

  private static final long TROUBLE_PAUSE = Duration.ofSeconds(1).toNanos();

  private final Timing timing;
  private final LeaseClock clock;
  private final ThreadPool pool;
  private final SettleCalls calls;
  private final BooleanSupplier permitsShort;

  private final ReentrantLock lock = new KeeperLock();
  private final WaitPoint changed;

  // All guarded by lock.
  private final CallBatch deletes;
  private final CallBatch releases;
  private final Set<Settlement> open = new LinkedHashSet<>();
  private int deleteCalls;
  private boolean flushing;
  private boolean stopped;

  /**
   * @param pool the control pool, in which one task stays until {@link #stop()}
   * @param deleteBatch deletes per call at most
   * @param releaseBatch releases per call at most
   * @param linger how long a delete waits for others
   * @param permitsShort whether a receive waits for permits, so that gathering costs throughput
   */
  public Settler(
      Timing timing,
      LeaseClock clock,
      ThreadPool pool,
      SettleCalls calls,
      int deleteBatch,
      int releaseBatch,
      Duration linger,
      BooleanSupplier permitsShort) {
    this.timing = timing;
    this.clock = clock;
    this.pool = pool;
    this.calls = calls;
    this.permitsShort = permitsShort;
    this.deletes = new CallBatch(deleteBatch, linger.toNanos());
    this.releases = new CallBatch(releaseBatch, 0);
    this.changed = timing.waitPoint(lock);
  }

  /** Starts to gather. */
  public void start() {
    pool.execute(this::gather);
  }

  /** Deletes the message of a lease, after the commit; {@code permit} gives its permit back, {@code watch} hears of the end. */
  public void delete(Lease lease, long committedAt, Runnable permit, SettleWatch watch) {
    delete(new Settlement(lease, Duration.ZERO, committedAt, permit, watch));
  }

  /** Deletes a message that the dead-letter queue has, while its lease is held and only then. */
  void deleteRejected(Lease lease, long rejectedAt, Runnable permit, SettleWatch watch) {
    delete(new Settlement(lease, Duration.ZERO, rejectedAt, permit, watch).ofRejected());
  }

  private void delete(Settlement settlement) {
    // Asked before the lock is taken: a handler's thread must not wait for another lock while it holds this one.
    boolean shortOfPermits = permitsShort.getAsBoolean();
    lock.lock();
    try {
      open.add(settlement);
      deletes.add(settlement, clock.now());
      if (flushing || shortOfPermits || deletes.wantsLook()) {
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Lets the message of a lease become visible after {@code delay}; {@code permit} gives its permit back, {@code watch} hears
   * of the end. Not ours any more means that nothing is sent.
   */
  public void release(Lease lease, Duration delay, Runnable permit, SettleWatch watch) {
    long now = clock.now();
    Settlement settlement = new Settlement(lease, delay, now, permit, watch);
    lock.lock();
    try {
      open.add(settlement);
    } finally {
      lock.unlock();
    }
    if (!lease.releasing(now, () -> queueRelease(settlement))) {
      calls.tooLate(settlement);
      answered(List.of(settlement), List.of(), releases);
    }
  }

  private void queueRelease(Settlement settlement) {
    lock.lock();
    try {
      releases.add(settlement, clock.now());
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Sends what waits at once: a receive has run short of permits. Quick. */
  public void hurry() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void gather() {
    while (true) {
      Optional<Runnable> call;
      lock.lock();
      try {
        call = next();
        while (call.isEmpty() && !stopped) {
          long now = clock.now();
          changed.await(Math.max(1, Math.min(deletes.untilNext(now), releases.untilNext(now))));
          call = next();
        }
        if (stopped) {
          return;
        }
      } catch (InterruptedException e) {
        continue; // Nobody has a reason to interrupt this thread; deletes must not end with it.
      } finally {
        lock.unlock();
      }
      call.ifPresent(Runnable::run);
    }
  }

  /** What to do next, if anything is due: hands a call to the pool. */
  private Optional<Runnable> next() {
    long now = clock.now();
    List<Settlement> release = releases.take(now, true);
    if (!release.isEmpty()) {
      return Optional.of(() -> hand(release, releases, this::sendReleases));
    }
    boolean hurry = flushing || (deleteCalls == 0 && permitsShort.getAsBoolean());
    List<Settlement> delete = deletes.take(now, hurry);
    if (delete.isEmpty()) {
      return Optional.empty();
    }
    deleteCalls++;
    return Optional.of(() -> hand(delete, deletes, this::sendDeletes));
  }

  private void hand(List<Settlement> call, CallBatch from, Consumer<List<Settlement>> send) {
    try {
      pool.execute(
          () -> {
            // It may have waited for a thread, or stood still, until the queue was closed: then it was named as left.
            if (!isStopped()) {
              send.accept(call);
            }
          });
    } catch (Throwable t) {
      // Such as no memory for a thread: the call was not sent, so it can wait for its turn again.
      calls.trouble("hand-over of a call", t);
      if (from == deletes) {
        deleteCallEnded();
      }
      answered(call, later(call), from);
    }
  }

  private boolean isStopped() {
    lock.lock();
    try {
      return stopped;
    } finally {
      lock.unlock();
    }
  }

  private List<Retry> later(List<Settlement> call) {
    long at = clock.now() + TROUBLE_PAUSE;
    return call.stream().map(settlement -> new Retry(settlement, at)).toList();
  }

  private void sendDeletes(List<Settlement> call) {
    List<Retry> retries = List.of();
    try {
      retries = calls.delete(call);
    } catch (Throwable t) {
      retries = later(call); // A delete may be sent twice.
      calls.trouble("delete", t);
    } finally {
      deleteCallEnded();
      answered(call, retries, deletes);
    }
  }

  private void sendReleases(List<Settlement> call) {
    List<Retry> retries = List.of();
    try {
      retries = calls.release(call);
    } catch (Throwable t) {
      call.forEach(settlement -> calls.end(settlement, false)); // A release may not.
      calls.trouble("release", t);
    } finally {
      answered(call, retries, releases);
    }
  }

  private void deleteCallEnded() {
    lock.lock();
    try {
      deleteCalls--;
    } finally {
      lock.unlock();
    }
  }

  private void answered(List<Settlement> call, List<Retry> retries, CallBatch batch) {
    lock.lock();
    try {
      call.forEach(open::remove);
      for (Retry retry : retries) {
        open.add(retry.settlement());
        batch.retry(retry.settlement(), retry.at());
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Sends everything without gathering from now on, what waits to be tried again included, and waits up to {@code nanos} until
   * all is answered.
   *
   * @return the ids of the messages that are not settled yet
   */
  public List<String> flush(long nanos) throws InterruptedException {
    lock.lock();
    try {
      flushing = true;
      deletes.retryNow();
      changed.signalAll();
      long until = timing.nanoTime() + nanos;
      for (long left = nanos; !open.isEmpty() && left > 0; left = until - timing.nanoTime()) {
        changed.await(left);
      }
      return open.stream().map(Settlement::messageId).toList();
    } finally {
      lock.unlock();
    }
  }

  /** Ends the gathering; what still waits is not sent. */
  public void stop() {
    lock.lock();
    try {
      stopped = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
