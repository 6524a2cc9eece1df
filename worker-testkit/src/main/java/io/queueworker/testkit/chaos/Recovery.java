package io.queueworker.testkit.chaos;

import io.queueworker.queue.EntryResult;
import io.queueworker.testkit.chaos.ChaosStep.OnWorld;
import io.queueworker.testkit.chaos.ChaosStep.Upset;
import io.queueworker.testkit.simulation.CallKind;
import io.queueworker.testkit.simulation.SimulatedCall;
import io.queueworker.testkit.simulation.SimulatedMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Contract 4: what a dead worker held is visible, or another's, within one visibility timeout of the last receive or extension
 * of its that took effect. The queue's own state decides.
 *
 * @param world the run
 */
record Recovery(World world) {

  private static final Duration ROUNDING = Duration.ofSeconds(1);

  /** What a worker works with that is not allowed to read the queue's setting. */
  private static final Duration ASSUMED = Duration.ofSeconds(30);

  /** The longest visibility timeout that a call may ask for: the setting's, or a handler's wish. */
  Duration longestVisibility() {
    List<Duration> all = new ArrayList<>(List.of(world.plan().settings().visibility()));
    for (ChaosStep step : world.plan().steps()) {
      if (step instanceof OnWorld one && one.upset() == Upset.VISIBILITY_SET) {
        all.add(one.length());
      }
      if (step instanceof ChaosStep.OnHandler one && one.act() == Act.WISHES) {
        all.add(one.length().plus(ROUNDING));
      }
      if (step instanceof ChaosStep.OnQueue one
          && one.call() == CallKind.ATTRIBUTES
          && one.trouble() == Trouble.DENIED) {
        all.add(ASSUMED);
      }
    }
    return all.stream().max(Duration::compareTo).orElseThrow();
  }

  /** Watches what a worker that has just died held. */
  void afterDeath(Fleet.Member member) {
    for (SimulatedMessage message : member.queue().inFlight()) {
      if (lastHold(member, message.id(), message.receiveCount()).isPresent()) {
        world.tally().took("held by a worker that died");
        watch(member, message.id(), message.receiveCount());
      }
    }
  }

  private void watch(Fleet.Member member, String id, int receive) {
    Optional<Duration> last = lastHold(member, id, receive);
    if (last.isEmpty() || world.timing().isOver()) {
      return;
    }
    Duration now = world.timing().elapsed();
    Duration due = last.get().plus(longestVisibility()).plus(ROUNDING);
    if (due.compareTo(now) > 0) {
      world.timing().after(due.minus(now), () -> watch(member, id, receive));
      return;
    }
    boolean hidden =
        member.queue().inFlight().stream()
            .anyMatch(message -> message.id().equals(id) && message.receiveCount() == receive);
    if (hidden) {
      world.broken(
          Rule.FAST_RECOVERY,
          id + ", receive " + receive + " by " + member.name() + ", which died, is still hidden; held last at "
              + Text.of(last.get()));
    }
  }

  /**
   * When the last receive or extension took effect that hides this receive of a worker; empty when another worker received it, or
   * a release or a delete ended the hold: a deleted message that comes again is hidden for as long as the service likes.
   */
  private static Optional<Duration> lastHold(Fleet.Member member, String id, int receive) {
    Optional<Duration> last = Optional.empty();
    Optional<Duration> begun = Optional.empty();
    Optional<Duration> ended = Optional.empty();
    Optional<Duration> released = Optional.empty();
    for (SimulatedCall call : member.queue().calls()) {
      for (SimulatedCall.Entry entry : call.entries()) {
        if (!entry.messageId().equals(id) || entry.receive() > receive || call.arrivedAt().isEmpty()) {
          continue;
        }
        boolean received = call.kind() == CallKind.RECEIVE && entry.receive() == receive;
        if (received && !call.machine().equals(member.name())) {
          return Optional.empty();
        }
        boolean done = entry.result().filter(EntryResult.Done.class::isInstance).isPresent();
        if (received || (call.kind() == CallKind.EXTEND && done)) {
          last = later(last, call.arrivedAt().get());
          begun = received ? call.arrivedAt() : begun;
        }
        // By its arrival: a machine that stood still may have made it long before this receive.
        if (done && (call.kind() == CallKind.RELEASE || call.kind() == CallKind.DELETE)) {
          ended = later(ended, call.arrivedAt().get());
          released = later(released, call.arrivedAt().get().plus(entry.visibility()));
        }
      }
    }
    boolean isOver = begun.isPresent() && ended.isPresent() && ended.get().compareTo(begun.get()) >= 0;
    // What came again while its release hid it stays hidden for that delay.
    boolean isDelayed = last.isPresent() && released.isPresent() && released.get().compareTo(last.get()) > 0;
    return isOver || isDelayed ? Optional.empty() : last;
  }

  private static Optional<Duration> later(Optional<Duration> a, Duration b) {
    return a.filter(one -> one.compareTo(b) > 0).or(() -> Optional.of(b));
  }
}
