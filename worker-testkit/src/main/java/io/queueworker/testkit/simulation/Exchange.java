package io.queueworker.testkit.simulation;

import io.queueworker.queue.QueueException;
import io.queueworker.testkit.simulation.SimThread.Wake;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One request on its way to a simulated service and the answer on its way back. The service acts when the request
 * arrives, whatever has become of the client.
 *
 * <p>Not thread-safe: belongs to the thread that holds the baton.
 *
 * @param <A> what the service answers
 */
final class Exchange<A> {

  private final Scheduler scheduler;
  private final Fault fault;
  private final long requestNanos;
  private final long replyNanos;
  private final SimThread client;
  private @Nullable A answer;
  private @Nullable QueueException failure;
  private boolean ended;

  Exchange(Scheduler scheduler, Fault fault, Latency latency) {
    this.scheduler = scheduler;
    this.fault = fault;
    this.client = scheduler.self();
    this.requestNanos = latency.draw(scheduler.draws) + fault.requestDelay().toNanos();
    this.replyNanos = latency.draw(scheduler.draws) + fault.replyDelay().toNanos();
  }

  /**
   * How long one way takes.
   *
   * @param least nanoseconds at least
   * @param most nanoseconds at most
   */
  record Latency(long least, long most) {

    long draw(SplittableRandom draws) {
      return least == most ? least : draws.nextLong(least, most + 1);
    }
  }

  /** Whether the client's machine dies before the bytes leave. */
  boolean isNeverSent() {
    return fault.death() == Fault.Death.BEFORE_SEND;
  }

  /**
   * What happens to the client's machine before the bytes leave: it may stand still, or die, and then this does not return.
   */
  void approach() {
    if (isNeverSent()) {
      client.machine.kill();
    }
    if (!fault.freeze().isZero()) {
      client.machine.freeze(fault.freeze());
    }
  }

  /** Sends, and waits for the answer. The failure is always of the kind that says nothing about the effect. */
  A send(Consumer<Exchange<A>> service, Duration timeout) {
    if (fault.loss() != Fault.Loss.REQUEST) {
      scheduler.time.after(requestNanos, () -> arrive(service));
    }
    if (fault.death() == Fault.Death.AFTER_SEND) {
      client.machine.kill();
    }
    Wake wake = scheduler.block(client, fault.clientTimesOut() ? timeout.toNanos() : Timeline.FOREVER);
    ended = true;
    if (failure != null) {
      throw failure;
    }
    if (answer != null) {
      return answer;
    }
    if (wake == Wake.INTERRUPTED) {
      Thread.currentThread().interrupt();
      throw unavailable("the calling thread was interrupted before the answer came");
    }
    throw unavailable("no answer within " + timeout);
  }

  /** The service answers. */
  void answer(A value) {
    reply(value, fault.loss() == Fault.Loss.REPLY ? unavailable("the connection closed before the answer came") : null);
  }

  /** The service refuses. */
  void fail(QueueException error) {
    reply(null, error);
  }

  /** What goes wrong with it. */
  Fault fault() {
    return fault;
  }

  private void arrive(Consumer<Exchange<A>> service) {
    if (fault.error() != null) {
      reply(null, fault.error());
    } else {
      service.accept(this);
    }
  }

  private void reply(@Nullable A value, @Nullable QueueException error) {
    scheduler.time.after(
        replyNanos,
        () -> {
          if (fault.death() == Fault.Death.AFTER_REPLY && !client.machine.isKilled()) {
            client.machine.kill();
          }
          // The client may have given up, and its thread may wait for something else by now.
          if (!ended && client.state == SimThread.State.WAITING && !client.machine.isKilled()) {
            ended = true;
            answer = error == null ? value : null;
            failure = error;
            scheduler.wake(client, Wake.SIGNALLED);
          }
        });
  }

  private static QueueException unavailable(String why) {
    return QueueException.of(QueueException.Kind.UNAVAILABLE, why, null);
  }
}
