package io.queueworker.handle;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import io.queueworker.observe.WorkerEvent;
import io.queueworker.observe.WorkerEvent.InternalError;
import io.queueworker.observe.WorkerEvent.UserCodeFailed;
import io.queueworker.timing.KeeperLock;
import io.queueworker.timing.Timing.ThreadPool;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/**
 * The circuit breaker of the user's over the outcomes of a worker's handlers: keeps them from a dependency that is down, and
 * lets few messages try it from time to time.
 *
 * <pre>
 * closed ──too many failures──► open ──its wait is over──► half open ──the probes went well──► closed
 *                                ▲                              └──they did not──► open, the next round
 * </pre>
 *
 * <p>A probe is a message that is held; while there is none, a receive may bring as many as there are probes permitted.
 * Thread-safe; calls nobody while it holds its lock.
 */
public final class Breaker {

  /** How often an open breaker is asked whether its wait is over: it changes its state only when asked. */
  private static final long ASK_EVERY = Duration.ofMillis(500).toNanos();

  private final CircuitBreaker circuit;
  private final Optional<Duration> releaseAfter;
  private final IntConsumer fresh;
  private final ThreadPool pool;
  private final AtomicBoolean looking = new AtomicBoolean();
  private final Consumer<WorkerEvent> events;
  private final Condition open;
  private final Probes waiting = new Probes();
  private final ReentrantLock lock = new KeeperLock();

  // All guarded by lock.
  private State seen = State.CLOSED;
  private long round;
  private long closedIn;
  private int underWay;

  /** Used by the thread that looks only. */
  private long askedAt;

  private boolean asked;

  /**
   * A breaker that has not been looked at.
   *
   * @param releaseAfter the delay with which to release a message that may not start; empty to hold it
   * @param began hears why handlers may not start
   * @param over hears that they may again
   * @param fresh hears how many messages a receive may bring although handlers may not start; zero for none
   * @param pool where {@link #tick} looks
   */
  public Breaker(
      CircuitBreaker circuit,
      Optional<Duration> releaseAfter,
      Consumer<String> began,
      Runnable over,
      IntConsumer fresh,
      ThreadPool pool,
      Consumer<WorkerEvent> events) {
    this.circuit = circuit;
    this.releaseAfter = releaseAfter;
    this.fresh = fresh;
    this.pool = pool;
    this.events = events;
    this.open = new Condition(() -> !isClosed(), () -> began.accept(words()), over);
  }

  /**
   * One permission to start a handler.
   *
   * @param round in which it was given: the next begins whenever the breaker opens
   * @param probe whether a half-open breaker gave it
   * @param inRow which round it is since the breaker was closed, from 1 on
   */
  record Ticket(long round, boolean probe, int inRow) {}

  /** The delay with which a message that may not start is released; empty when it is held. */
  Optional<Duration> releaseAfter() {
    return releaseAfter;
  }

  /** Whether handlers start as if there were no breaker. */
  boolean isClosed() {
    return isClosed(circuit.getState());
  }

  private static boolean isClosed(State state) {
    return switch (state) {
      case CLOSED, DISABLED, METRICS_ONLY -> true;
      case OPEN, FORCED_OPEN, HALF_OPEN -> false;
    };
  }

  /** The breaker and its state, in words. */
  public String words() {
    return "circuit breaker " + circuit.getName() + " is " + circuit.getState();
  }

  /** Asks for a permission. */
  Optional<Ticket> ask() {
    boolean permitted = true;
    try {
      permitted = circuit.tryAcquirePermission();
    } catch (Throwable t) {
      tellOf(t);
    }
    State state = look();
    if (!permitted) {
      return Optional.empty();
    }
    lock.lock();
    try {
      boolean probe = state == State.HALF_OPEN;
      underWay += probe ? 1 : 0;
      return Optional.of(new Ticket(round, probe, (int) (round - closedIn)));
    } finally {
      lock.unlock();
    }
  }

  /** Whether the breaker has not opened since it gave this permission. */
  boolean isCurrent(Ticket ticket) {
    lock.lock();
    try {
      return ticket.round == round;
    } finally {
      lock.unlock();
    }
  }

  /** Gives a permission back that led to no outcome. */
  void giveBack(Ticket ticket) {
    if (end(ticket)) {
      circuit.releasePermission();
    }
  }

  /** The handler did its work. */
  void succeeded(Ticket ticket, long tookNanos) {
    report(ticket, () -> circuit.onSuccess(tookNanos, TimeUnit.NANOSECONDS));
  }

  /** The handler failed. */
  void failed(Ticket ticket, long tookNanos, Throwable cause) {
    report(ticket, () -> circuit.onError(tookNanos, TimeUnit.NANOSECONDS, cause));
  }

  private void report(Ticket ticket, Runnable outcome) {
    if (end(ticket)) {
      try {
        outcome.run();
      } catch (Throwable t) {
        // Such as a predicate of the user's about exceptions: the outcome is not counted, and its permission must not be lost.
        circuit.releasePermission();
        tellOf(t);
      }
    }
    look();
  }

  /**
   * Notes that a permission is used up; false when the breaker must not hear of it: a handler that began before the breaker
   * opened is no probe, and would count as one in a breaker that is half open by now.
   */
  private boolean end(Ticket ticket) {
    boolean halfOpen = circuit.getState() == State.HALF_OPEN;
    lock.lock();
    try {
      boolean current = ticket.round == round;
      underWay -= current && ticket.probe ? 1 : 0;
      return current || !halfOpen;
    } finally {
      lock.unlock();
    }
  }

  private void tellOf(Throwable t) {
    events.accept(new UserCodeFailed("the circuit breaker; the worker goes on without its word", t));
  }

  /** A message begins to wait for a permission. */
  void waits(StartPermission start) {
    waiting.add(start);
  }

  /** A message waits no more; afterwards it is given no permission. */
  void leaves(StartPermission start) {
    waiting.remove(start);
  }

  /**
   * Has looked whether messages may start by now. Part of every heartbeat tick, whose thread must not run the listeners that
   * the user's breaker may have.
   */
  public void tick(long now) {
    if (!looking.compareAndSet(false, true)) {
      return;
    }
    boolean queued = false;
    try {
      queued = pool.execute(() -> lookOnce(now));
    } finally {
      if (!queued) {
        looking.set(false);
      }
    }
  }

  private void lookOnce(long now) {
    try {
      look(now);
    } catch (Throwable t) {
      events.accept(new InternalError("look at the circuit breaker", t));
    } finally {
      looking.set(false);
    }
  }

  /** Looks whether messages may start by now, and lets probes go. One thread at a time calls it. */
  public void look(long now) {
    if (circuit.getState() == State.OPEN && (!asked || now - askedAt >= ASK_EVERY)) {
      asked = true;
      askedAt = now;
      ask().ifPresent(this::giveBack);
    }
    State state = look();
    if (state != State.HALF_OPEN) {
      waiting.openSince(now);
      fresh.accept(0);
      return;
    }
    int free = circuit.getCircuitBreakerConfig().getPermittedNumberOfCallsInHalfOpenState()
        - circuit.getMetrics().getNumberOfBufferedCalls() - probesUnderWay();
    while (free > 0 && waiting.hasNext(now)) {
      Optional<Ticket> ticket = ask();
      if (ticket.isEmpty()) {
        return;
      }
      if (!waiting.give(ticket.get(), now)) {
        giveBack(ticket.get());
        break;
      }
      free--;
    }
    fresh.accept(Math.max(0, free - waiting.promising()));
  }

  private int probesUnderWay() {
    lock.lock();
    try {
      return underWay;
    } finally {
      lock.unlock();
    }
  }

  /** Takes note of the state that the breaker is in, and tells of it. */
  private State look() {
    State state = circuit.getState();
    lock.lock();
    try {
      if (state == State.OPEN && seen != State.OPEN) {
        round++;
        underWay = 0;
      }
      closedIn = isClosed(state) ? round : closedIn;
      seen = state;
    } finally {
      lock.unlock();
    }
    open.look();
    if (isClosed(state)) {
      waiting.wakeAll();
    }
    return state;
  }
}
