package io.queueworker.settle;

import io.queueworker.lease.Lease;
import io.queueworker.lease.LeaseClock;
import io.queueworker.timing.KeeperLock;
import io.queueworker.timing.Timing;
import io.queueworker.timing.Timing.ThreadPool;
import io.queueworker.timing.Timing.WaitPoint;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Settles messages whose fate is decided: gathers deletes and releases into calls, and sends these on the control pool.
 *
 * <p>A sender that has made its call looks for the next, so that a service that answers quickly costs one thread. Beside the senders
 * one thread of the pool keeps watch, in which nothing is sent: it waits for the next call to be due, and sends it itself when no
 * sender will do so soon. Then another keeps watch.
 *
 * <pre>
 *              due, and the senders are slow
 * keeps watch ──────────────────────────────► sends ◄─┐ a call is due
 *      ▲                                       │  └───┘
 *      └────────────── nothing is due ─────────┴──► ends, when another keeps watch
 * </pre>
 *
 * <p>Thread-safe; {@link #delete} and {@link #release} do not block.
 */
public final class Settler {

  private static final long TROUBLE_PAUSE = Duration.ofSeconds(1).toNanos();

  private final Timing timing;
  private final LeaseClock clock;
  private final ThreadPool pool;
  private final SettleCalls calls;
  private final BooleanSupplier permitsShort;

  private final ReentrantLock lock = new KeeperLock();
  private final WaitPoint due;
  private final WaitPoint settled;

  // All guarded by lock.
  private final Outbox outbox;
  private boolean watched;
  private long looksAt;
  private volatile boolean stopped;

  /**
   * @param pool the control pool, in which one task stays until {@link #stop()}
   * @param mostSenders calls under way at most
   * @param deleteBatch deletes per call at most
   * @param releaseBatch releases per call at most
   * @param linger how long a delete waits for others
   * @param permitsShort whether a receive waits for permits, so that gathering costs throughput
   */
  public Settler(
      Timing timing,
      LeaseClock clock,
      ThreadPool pool,
      int mostSenders,
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
    this.outbox = new Outbox(deleteBatch, linger.toNanos(), releaseBatch, mostSenders);
    this.due = timing.waitPoint(lock);
    this.settled = timing.waitPoint(lock);
  }

  /** Begins to settle. */
  public void start() {
    startWatch();
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
    boolean hurry = permitsShort.getAsBoolean();
    long now = clock.now();
    lock.lock();
    try {
      outbox.delete(settlement, now);
      wake(now, hurry);
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
    locked(() -> outbox.await(settlement));
    if (!lease.releasing(now, () -> queueRelease(settlement))) {
      calls.tooLate(settlement);
      locked(() -> outbox.settled(settlement));
    }
  }

  private void queueRelease(Settlement settlement) {
    long now = clock.now();
    locked(
        () -> {
          outbox.release(settlement, now);
          wake(now, false);
        });
  }

  /** Sends what waits at once: a receive has run short of permits. Quick. */
  public void hurry() {
    long now = clock.now();
    locked(() -> wake(now, true));
  }

  /** Wakes the watch if it has to look earlier than it will. */
  private void wake(long now, boolean hurry) {
    if (watched && looksAt - outbox.nextLook(now, hurry) > 0) {
      // Said here, not where it wakes: until then others need not wake it again.
      looksAt = now;
      due.signalAll();
    }
  }

  /** What a thread of the pool does: keeps watch until a call is due, and then sends one after the other. */
  private void work() {
    do {
      try {
        Optional<Outbox.Call> call = awaitCall();
        startWatch();
        while (call.isPresent()) {
          send(call.get());
          call = nextCall();
        }
      } catch (RuntimeException | VirtualMachineError t) {
        // Other errors are not of this code: a simulation ends its threads by one, and would do so for ever.
        calls.trouble("settling", t);
      }
    } while (isFirstToWatch());
  }

  /** Keeps watch until a call is due; empty once stopped. */
  private Optional<Outbox.Call> awaitCall() {
    lock.lock();
    try {
      while (!stopped) {
        long now = clock.now();
        boolean hurry = permitsShort.getAsBoolean();
        looksAt = outbox.nextLook(now, hurry);
        if (looksAt - now <= 0) {
          return outbox.take(now, hurry);
        }
        await(looksAt - now);
      }
      return Optional.empty();
    } finally {
      watched = false;
      lock.unlock();
    }
  }

  private void await(long nanos) {
    try {
      due.await(nanos);
    } catch (InterruptedException e) {
      // Nobody has a reason to interrupt this thread; deletes must not end with it.
    }
  }

  /** A call for a sender that has come back, if one is due. */
  private Optional<Outbox.Call> nextCall() {
    boolean hurry = permitsShort.getAsBoolean();
    lock.lock();
    try {
      return stopped ? Optional.empty() : outbox.take(clock.now(), hurry);
    } finally {
      lock.unlock();
    }
  }

  /** Has a thread keep watch, unless one does. */
  private void startWatch() {
    if (!isFirstToWatch()) {
      return;
    }
    boolean started = false;
    try {
      started = pool.execute(this::work);
    } catch (Throwable t) {
      // Such as no memory for a thread: whoever comes back from a call keeps watch.
      calls.trouble("start of a settling thread", t);
    } finally {
      if (!started) {
        locked(() -> watched = false);
      }
    }
  }

  /** Whether nobody keeps watch, so that the caller has to; the one who does is woken if need be. */
  private boolean isFirstToWatch() {
    boolean hurry = permitsShort.getAsBoolean();
    lock.lock();
    try {
      long now = clock.now();
      if (watched || stopped) {
        wake(now, hurry);
        return false;
      }
      watched = true;
      looksAt = now;
      return true;
    } finally {
      lock.unlock();
    }
  }

  private void send(Outbox.Call call) {
    List<Retry> retries = List.of();
    try {
      // It may have stood still until the queue was closed: then it was named as left.
      if (!stopped) {
        retries = call.deletes() ? calls.delete(call.entries()) : calls.release(call.entries());
      }
    } catch (Throwable t) {
      if (call.deletes()) {
        retries = Retry.all(call.entries(), clock.now() + TROUBLE_PAUSE); // It may be sent twice.
      } else {
        call.entries().forEach(settlement -> calls.end(settlement, false)); // A release may not.
      }
      calls.trouble(call.deletes() ? "delete" : "release", t);
    } finally {
      List<Retry> again = retries;
      locked(() -> outbox.cameBack(call, again));
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
      outbox.flush();
      due.signalAll();
      long until = timing.nanoTime() + nanos;
      for (long left = nanos; !outbox.isEmpty() && left > 0; left = until - timing.nanoTime()) {
        settled.await(left);
      }
      return outbox.messageIds();
    } finally {
      lock.unlock();
    }
  }

  /** Ends the settling; what still waits is not sent. */
  public void stop() {
    locked(
        () -> {
          stopped = true;
          due.signalAll();
        });
  }

  /** Makes a change that may be one that a flush waits for. */
  private void locked(Runnable change) {
    lock.lock();
    try {
      change.run();
      settled.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
