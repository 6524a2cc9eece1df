package io.queueworker.testkit;

import io.queueworker.observe.EventContext;
import io.queueworker.observe.WorkerEvent;
import io.queueworker.observe.WorkerEvent.MessageEvent;
import io.queueworker.observe.WorkerListener;
import io.queueworker.testkit.simulation.SimulatedTiming;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * Everything that happened in workers, in order. Register it as an inline listener, or events come late and out of order.
 *
 * <p>Thread-safe. Only its {@code await} methods block; in a simulation use {@link SimulatedTiming#await} instead, since
 * they wait by the real clock.
 */
public final class Trail implements WorkerListener {

  private final BooleanSupplier over;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition grown = lock.newCondition();
  private final List<Entry> entries = new ArrayList<>();

  private Trail(BooleanSupplier over) {
    this.over = over;
  }

  /** An empty trail. */
  public static Trail create() {
    return new Trail(() -> false);
  }

  /** An empty trail that ends with the simulation's body: what threads do while they are ended means nothing. */
  public static Trail in(SimulatedTiming timing) {
    return new Trail(timing::isOver);
  }

  /**
   * One event and where it happened.
   *
   * @param context where and when
   * @param event what
   */
  public record Entry(EventContext context, WorkerEvent event) {}

  @Override
  public void onEvent(EventContext context, WorkerEvent event) {
    if (over.getAsBoolean()) {
      return;
    }
    lock.lock();
    try {
      entries.add(new Entry(context, event));
      grown.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** All so far, in order. */
  public List<Entry> entries() {
    lock.lock();
    try {
      return List.copyOf(entries);
    } finally {
      lock.unlock();
    }
  }

  /** All events so far, in order. */
  public List<WorkerEvent> events() {
    return entries().stream().map(Entry::event).toList();
  }

  /** The events about one message, in order. */
  public List<WorkerEvent> of(String messageId) {
    return events().stream()
        .filter(event -> event instanceof MessageEvent about && about.messageId().equals(messageId))
        .toList();
  }

  /** The events of one kind, in order. */
  public <E> List<E> of(Class<E> kind) {
    return events().stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  /** The events of one kind about one message, in order. */
  public <E extends MessageEvent> List<E> of(Class<E> kind, String messageId) {
    return of(kind).stream().filter(event -> event.messageId().equals(messageId)).toList();
  }

  /** How many events of a kind there are. */
  public int count(Class<?> kind) {
    return of(kind).size();
  }

  /** One line per event: the worker, then the event. */
  public List<String> texts() {
    return entries().stream().map(entry -> entry.context().worker() + " " + entry.event()).toList();
  }

  /** The names of the kinds of events about one message, in order, such as {@code Received}. */
  public List<String> kinds(String messageId) {
    return of(messageId).stream().map(event -> event.getClass().getSimpleName()).toList();
  }

  /** {@link #await} for at least {@code least} events of a kind. */
  public void awaitCount(Class<?> kind, int least, Duration atMost) {
    await(least + " times " + kind.getSimpleName(), trail -> trail.count(kind) >= least, atMost);
  }

  /**
   * Waits by the real clock until the trail is as wanted; looks at it after each event.
   *
   * @param what the wanted state in words, for the failure
   * @throws AssertionError when it is not within {@code atMost}, or the thread is interrupted; the flag then stays set
   */
  public void await(String what, Predicate<Trail> wanted, Duration atMost) {
    long left = atMost.toNanos();
    lock.lock();
    try {
      while (!wanted.test(this)) {
        if (left <= 0) {
          throw new AssertionError("not within " + atMost + ": " + what + ". So far:\n" + String.join("\n", texts()));
        }
        left = grown.awaitNanos(left);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while waiting for: " + what, interrupted);
    } finally {
      lock.unlock();
    }
  }
}
