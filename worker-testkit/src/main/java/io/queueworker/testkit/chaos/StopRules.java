package io.queueworker.testkit.chaos;

import io.queueworker.QueueWorker;
import io.queueworker.observe.WorkerEvent;
import io.queueworker.observe.WorkerEvent.MessageEvent;
import io.queueworker.testkit.Trail;
import io.queueworker.testkit.simulation.CallKind;
import io.queueworker.testkit.simulation.SimulatedCall;
import io.queueworker.testkit.simulation.SimulatedMessage;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Contract 7 at the end of a close: nothing of this worker is in flight that was not reported by name. What the worker could
 * not know of is excused: a message whose receive was never answered. So is what it told of as released, lost, left or deleted,
 * since the service hides such a message for a while all the same.
 *
 * @param world the run
 */
record StopRules(World world) {

  /** Judges a worker whose close has just returned. */
  void afterClose(Fleet.Member member, QueueWorker worker) {
    List<String> leftOver = member.ear().leftOver();
    int inFlight = worker.health().inFlight();
    if (inFlight != 0 && leftOver.isEmpty()) {
      world.broken(Rule.CLEAN_STOP, member.name() + " closed with " + inFlight + " permits out and named nothing");
    }
    if (leftOver.stream().noneMatch(left -> left.contains("still receives"))) {
      afterReceives(member);
    }
    Map<String, Integer> hidden =
        member.queue().inFlight().stream()
            .collect(Collectors.toMap(SimulatedMessage::id, SimulatedMessage::receiveCount));
    for (SimulatedCall call : member.queue().calls(CallKind.RECEIVE)) {
      if (!call.machine().equals(member.name())) {
        continue;
      }
      for (SimulatedCall.Entry entry : call.entries()) {
        Integer count = hidden.get(entry.messageId());
        if (count != null
            && count == entry.receive()
            && leftOver.stream().noneMatch(left -> left.contains(entry.messageId()))
            && leftOver.stream().noneMatch(left -> left.contains("still receives"))
            && !isExcused(member, entry)) {
          world.broken(
              Rule.CLEAN_STOP,
              member.name() + " closed and left " + entry.messageId() + " in flight, receive " + entry.receive()
                  + ", without a word; it named " + leftOver);
        }
      }
    }
  }

  /** What a receive brought was taken up, or given back: an answered receive is no excuse. */
  private void afterReceives(Fleet.Member member) {
    int brought = 0;
    int taken = 0;
    for (Trail.Entry one : world.trail().entries()) {
      if (one.context().worker().equals(member.name())) {
        brought += one.event() instanceof WorkerEvent.ReceiveCompleted completed ? completed.received() : 0;
        taken += one.event() instanceof WorkerEvent.Received ? 1 : 0;
      }
    }
    if (brought != taken) {
      world.broken(
          Rule.CLEAN_STOP, member.name() + " closed; its receives brought " + brought + ", it took up " + taken);
    }
  }

  private boolean isExcused(Fleet.Member member, SimulatedCall.Entry entry) {
    List<MessageEvent> ofReceive =
        world.trail().entries().stream()
            .filter(one -> one.context().worker().equals(member.name()))
            .map(Trail.Entry::event)
            .filter(MessageEvent.class::isInstance)
            .map(MessageEvent.class::cast)
            .filter(one -> one.messageId().equals(entry.messageId()) && one.receiveCount() == entry.receive())
            .toList();
    return ofReceive.isEmpty() || ofReceive.stream().anyMatch(StopRules::isEnd);
  }

  private static boolean isEnd(MessageEvent event) {
    return switch (event) {
      case WorkerEvent.Released released -> true;
      case WorkerEvent.ReleaseFailed failed -> true;
      case WorkerEvent.LeftForRedrive left -> true;
      case WorkerEvent.LeaseLost lost -> true;
      case WorkerEvent.Deleted deleted -> true;
      case WorkerEvent.DeleteFailed failed -> failed.retryIn().isEmpty();
      default -> false;
    };
  }
}
