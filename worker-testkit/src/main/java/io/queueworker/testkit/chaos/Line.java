package io.queueworker.testkit.chaos;

import io.queueworker.testkit.chaos.StoreException.Kind;
import io.queueworker.testkit.simulation.SimulatedMachine;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The way from one machine to a modelled service and back, with what goes wrong on it. A request that was sent has its
 * effect whatever becomes of the client.
 *
 * <p>Not thread-safe, and need not be: simulated threads run one at a time.
 *
 * @param machine whose calls these are
 */
record Line(World world, SimulatedMachine machine) {

  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final Duration ENDLESS = Duration.ofDays(1);

  /**
   * Sends a request and waits for the answer.
   *
   * @param service what happens when the request arrives; it answers then or later
   * @throws StoreException for every failure
   */
  <A> A send(ServiceCall call, Consumer<Reply<A>> service) {
    ChaosStep.@Nullable OnService step = world.troubles().next(call, machine);
    Trouble trouble = step == null ? null : step.trouble();
    Duration length = step == null ? Duration.ZERO : step.length();
    if (trouble == Trouble.FREEZE_BEFORE_SEND) {
      machine.freeze(length);
    } else if (trouble == Trouble.KILL_BEFORE_SEND) {
      machine.kill();
    }
    Duration there = world.latency(call).plus(trouble == Trouble.DELAY_REQUEST ? length : Duration.ZERO);
    boolean late = trouble == Trouble.DELAY_REPLY || trouble == Trouble.HANG;
    Duration back = world.latency(call).plus(late ? length : Duration.ZERO);
    Reply<A> reply =
        new Reply<>(
            this,
            refusal(trouble),
            (answer, content) -> world.timing().after(
                back, () -> answer.arrive(trouble == Trouble.LOSE_REPLY ? answer::lose : content)));
    if (trouble == Trouble.FAIL) {
      reply.fail(lost("the connection was refused"));
    } else if (trouble != Trouble.LOSE_REQUEST) {
      world.timing().after(there, () -> service.accept(reply));
    }
    if (trouble == Trouble.KILL_AFTER_SEND) {
      world.timing().after(there.dividedBy(2), this::kill);
    }
    A content = received(call, reply, trouble == Trouble.HANG ? ENDLESS : TIMEOUT);
    if (trouble == Trouble.KILL_AFTER_REPLY) {
      machine.kill();
    }
    return content;
  }

  private <A> A received(ServiceCall call, Reply<A> reply, Duration timeout) {
    try {
      if (!reply.await(this, timeout.toNanos())) {
        throw lost("no answer to " + call + " within " + timeout);
      }
    } catch (InterruptedException e) {
      // As a virtual thread's socket does: the connection is gone.
      Thread.currentThread().interrupt();
      if (call != ServiceCall.INSERT && call != ServiceCall.OUTSIDE && call != ServiceCall.OPEN) {
        world.broken(Rule.NO_INTERRUPT, machine.name() + " was interrupted in " + call);
      }
      throw lost("interrupted in " + call);
    }
    return reply.content();
  }

  private void kill() {
    if (!machine.isKilled()) {
      machine.kill();
    }
  }

  private static Optional<StoreException> refusal(@Nullable Trouble trouble) {
    if (trouble == Trouble.CONFLICT) {
      return Optional.of(new StoreException(Kind.CONFLICT, "the transaction gave way to another one"));
    }
    return trouble == Trouble.REFUSED
        ? Optional.of(new StoreException(Kind.REFUSED, "a constraint of the effect's table"))
        : Optional.empty();
  }

  /** The connection broke. */
  static StoreException lost(String why) {
    return new StoreException(Kind.LOST, why);
  }
}
