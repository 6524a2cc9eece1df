package io.queueworker.lease;

import io.queueworker.observe.WorkerEvent;
import io.queueworker.observe.WorkerEvent.ClockGap;
import io.queueworker.observe.WorkerEvent.InternalError;
import io.queueworker.timing.Timing;
import io.queueworker.timing.Timing.ThreadKind;
import io.queueworker.timing.Timing.ThreadPool;
import io.queueworker.timing.Timing.WaitPoint;
import io.queueworker.timing.Timing.WorkerThread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/**
 * The loop that keeps leases: several times a second it ends those that must end and has those extended that are due.
 *
 * <p>Its thread does no I/O and runs no user code, and no {@link Throwable} ends it. Extensions go out on a pool of their
 * own ({@link Extender}), in batches: what is due, filled up with what will be due soon. A lease near its end gets a call of
 * its own, so that a slow batch cannot cost it.
 *
 * <p>Thread-safe. {@link #tick(long)} is the loop's body, for tests that bring their own time.
 */
public final class Heartbeat {

  private static final long LONGEST_TICK = Duration.ofMillis(250).toNanos();
  private static final long SHORTEST_TICK = Duration.ofMillis(50).toNanos();

  /** Single calls at most per tick: when more leases are near their end the trouble is general, and calls are dear. */
  private static final int URGENT_PER_TICK = 10;

  /** Leases looked at in one go. */
  private static final int PAGE = 1_000;

  private final Timing timing;
  private final LeaseClock clock;
  private final LeaseRegistry registry;
  private final Extender extender;
  private final Supplier<LeaseTerms> terms;
  private final Losses losses;
  private final KeepAliveQuestions questions;
  private final Consumer<WorkerEvent> events;
  private final List<LongConsumer> everyTick = new ArrayList<>();

  private final ReentrantLock lock = new ReentrantLock();
  private final WaitPoint stop;
  private boolean stopped;
  private volatile long tickedAt;

  /**
   * A heartbeat that ticks once {@link #start} was called.
   *
   * @param questions the pool on which {@code keepAliveWhile} is asked, of {@code questionThreads} threads
   */
  public Heartbeat(
      Timing timing,
      LeaseClock clock,
      LeaseRegistry registry,
      Extender extender,
      Supplier<LeaseTerms> terms,
      Losses losses,
      ThreadPool questions,
      int questionThreads,
      Consumer<WorkerEvent> events) {
    this.timing = timing;
    this.clock = clock;
    this.registry = registry;
    this.extender = extender;
    this.terms = terms;
    this.losses = losses;
    this.questions = new KeepAliveQuestions(questions, questionThreads, losses, events);
    this.events = events;
    this.stop = timing.waitPoint(lock);
  }

  /** Adds something quick to be done at every tick; it gets lease time. Before {@link #start} only. */
  public void everyTick(LongConsumer action) {
    everyTick.add(action);
  }

  /** Starts the loop on a platform thread of this name. */
  public WorkerThread start(String threadName) {
    // Here and not in the loop: the first receive may be answered before that thread runs.
    clock.begin();
    tickedAt = clock.now();
    return timing.start(ThreadKind.PLATFORM, threadName, this::loop);
  }

  /** How long ago its latest pass began, in nanoseconds. */
  public long sinceTick(long now) {
    return now - tickedAt;
  }

  /** Ends the loop, and sends no extension any more; does not wait. */
  public void stop() {
    extender.stop();
    lock.lock();
    try {
      stopped = true;
      stop.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void loop() {
    while (sleepUntilNextTick()) {
      try {
        clock
            .tick()
            .ifPresent(
                still -> events.accept(
                    new ClockGap(
                        still.length(),
                        still.slept() ? "the wall clock leapt ahead" : "the process did not run")));
        tick(clock.now());
      } catch (Throwable t) {
        report(t);
      }
    }
  }

  private boolean sleepUntilNextTick() {
    lock.lock();
    try {
      long wait = Math.clamp(terms.get().visibility() / 8, SHORTEST_TICK, LONGEST_TICK);
      if (!stopped) {
        stop.await(wait);
      }
      return !stopped;
    } catch (InterruptedException e) {
      // Nobody has a reason to interrupt this thread, and leases outlive a mistake.
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** One pass over what is due at {@code now}. */
  void tick(long now) {
    tickedAt = now;
    for (LongConsumer action : everyTick) {
      guarded(() -> action.accept(now));
    }
    List<Beat> due = new ArrayList<>();
    // Bounded, in case leases that make trouble stay due.
    for (int pages = registry.size() / PAGE; pages >= 0; pages--) {
      for (Lease lease : registry.due(now, PAGE)) {
        // One lease that makes trouble must not cost the others their beat.
        guarded(() -> look(lease, now, due));
      }
    }
    send(due, now);
  }

  private void look(Lease lease, long now, List<Beat> due) {
    losses.review(lease, now);
    lease.beat(now, 0, urgentBelow()).ifPresent(due::add);
    registry.reschedule(lease);
  }

  private void send(List<Beat> due, long now) {
    int most = extender.maxBatch();
    List<Beat> batch = new ArrayList<>(most);
    int singles = 0;
    for (Beat beat : due) {
      if (beat.urgent() && singles < URGENT_PER_TICK) {
        singles++;
        extender.extend(List.of(beat), true);
        continue;
      }
      batch.add(beat);
      if (batch.size() == most) {
        extender.extend(List.copyOf(batch), false);
        batch.clear();
      }
    }
    if (!batch.isEmpty()) {
      due.addAll(fill(batch, most, now));
      extender.extend(List.copyOf(batch), false);
    }
    due.forEach(beat -> guarded(() -> questions.ask(beat.lease())));
  }

  /** Adds leases that are due soon to a batch that goes out anyway. */
  private List<Beat> fill(List<Beat> batch, int most, long now) {
    long ahead = terms.get().interval() / 2;
    List<Beat> added = new ArrayList<>();
    for (Lease lease : registry.due(now + ahead, 4 * most)) {
      if (batch.size() == most) {
        break;
      }
      // One lease that makes trouble must not cost the others their beat: their call slots are taken already.
      guarded(
          () -> lease
              .beat(now, ahead, urgentBelow())
              .ifPresent(
                  early -> {
                    batch.add(early);
                    added.add(early);
                    registry.reschedule(lease);
                  }));
    }
    return added;
  }

  private void guarded(Runnable step) {
    try {
      step.run();
    } catch (Throwable t) {
      report(t);
    }
  }

  private void report(Throwable t) {
    try {
      events.accept(new InternalError("heartbeat", t));
    } catch (Throwable again) {
      // No memory even to tell: going on is worth more.
    }
  }

  private long urgentBelow() {
    return terms.get().visibility() / 5;
  }

  /** Looks at a lease again whose run started, or whose handler asked for more. */
  public void changed(Lease lease) {
    registry.reschedule(lease);
  }

  /** Asks no more whether to keep a lease whose handler ended. */
  public void handlerEnded(Lease lease) {
    questions.forget(lease);
  }

  /** Takes a handler's wish to keep the message until {@code until}; the next tick sends it. */
  public void extendTo(Lease lease, long until, long now) {
    if (lease.extendTo(until, now)) {
      registry.reschedule(lease);
    }
  }
}
