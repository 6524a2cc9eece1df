package io.queueworker.testkit.chaos;

import io.queueworker.queue.EntryResult;
import io.queueworker.queue.RejectAttributes;
import io.queueworker.testkit.chaos.ChaosStep.OnEvent;
import io.queueworker.testkit.chaos.ChaosStep.OnWorker;
import io.queueworker.testkit.simulation.CallKind;
import io.queueworker.testkit.simulation.SimulatedCall;
import io.queueworker.testkit.simulation.SimulatedQueue;
import java.time.Duration;
import java.util.stream.Stream;

/**
 * The rules that a call to a queue is judged by when its worker decides to make it: by what the database, the system outside and
 * the handlers know, not by what the worker tells.
 *
 * @param world the run
 */
record CallRules(World world) {

  private static final Duration SOON = Duration.ofSeconds(1);

  /** Judges a call that a worker is about to send. */
  void decided(SimulatedCall call) {
    for (String id : call.messageIds()) {
      switch (call.kind()) {
        case RELEASE -> released(call, id);
        case EXTEND -> extended(call, id);
        case DELETE -> deleted(call, id);
        case RECEIVE, ATTRIBUTES, SEND -> {
          // Nothing is decided about a message.
        }
      }
    }
  }

  private void released(SimulatedCall call, String id) {
    if (world.handling().isRunning(call.machine(), id)) {
      world.broken(Rule.ONE_HANDLER, call.machine() + " releases " + id + " beside the handler that runs for it");
    }
  }

  private void extended(SimulatedCall call, String id) {
    if (!standsStill()) {
      if (wasRefused(call, id)) {
        world.broken(
            Rule.NO_TRESPASS, call.machine() + " extends " + id + " although the service has refused that before");
      }
      world.handling().whyNotExtend(call.machine(), id, receive(call, id)).ifPresent(
          why -> world.broken(Rule.BOUNDED_HOLD, call.machine() + " extends " + id + " although " + why));
    }
  }

  /** Whether the service has said of this receive that it is over, long enough ago for the answer to be there. */
  private boolean wasRefused(SimulatedCall call, String id) {
    return queueOf(id).calls(CallKind.EXTEND).stream()
        .filter(before -> before.machine().equals(call.machine()))
        .filter(before -> before.decidedAt().plus(SOON).compareTo(call.decidedAt()) < 0 && before.isAnswered())
        .flatMap(before -> before.entries().stream())
        .anyMatch(
            one -> one.messageId().equals(id) && one.receive() == receive(call, id)
                && one.result().filter(r -> r instanceof EntryResult.Lost || r instanceof EntryResult.Gone)
                    .isPresent());
  }

  private static int receive(SimulatedCall call, String id) {
    return call.entries().stream().filter(entry -> entry.messageId().equals(id)).findFirst().orElseThrow().receive();
  }

  private SimulatedQueue queueOf(String id) {
    String body = world.fleet().body(id);
    return world.queues().stream().filter(one -> world.fleet().ids(one, body).contains(id)).findFirst().orElseThrow();
  }

  /** A machine that stood still between its look at the time and the call cannot know. */
  private boolean standsStill() {
    return world.plan().steps().stream().anyMatch(
        step -> step instanceof OnEvent || step instanceof OnWorker
            || (step instanceof ChaosStep.OnQueue one && stops(one.trouble()))
            || (step instanceof ChaosStep.OnService other && stops(other.trouble())));
  }

  private static boolean stops(Trouble trouble) {
    return trouble == Trouble.FREEZE_BEFORE_SEND || trouble == Trouble.LATE_BESIDE_STANDSTILL;
  }

  private void deleted(SimulatedCall call, String id) {
    if (world.plan().settings().gate() == GateKind.OWN) {
      // Which effects a user's message has is the user's affair until the run is over.
      return;
    }
    String body = world.fleet().body(id);
    String queue = queueOf(id).name();
    boolean there =
        Stream.concat(world.database().effects().stream(), world.outside().effects().stream())
            .anyMatch(effect -> effect.name().equals(body) && effect.queue().equals(queue));
    if (!there && !isRejected(queueOf(id), id)) {
      world.broken(
          Rule.NO_LOSS, call.machine() + " deletes " + id + " before its effect or a dead letter of it is there");
    }
  }

  private static boolean isRejected(SimulatedQueue queue, String id) {
    return queue.deadLetters().stream()
        .anyMatch(dead -> id.equals(dead.attributes().get(RejectAttributes.ORIGINAL_MESSAGE_ID)));
  }
}
