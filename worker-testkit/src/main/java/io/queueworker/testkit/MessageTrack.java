package io.queueworker.testkit;

import io.queueworker.observe.WorkerEvent;
import io.queueworker.observe.WorkerEvent.MessageEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * What a trail shows of one message in one worker: its receives, and which rules its events break.
 *
 * <p>Each event names its receive by the receive count. A service that counts approximately may give two receives the same
 * number: then an event counts for the first of them that it fits.
 *
 * <p>Not thread-safe.
 */
final class MessageTrack {

  private final String name;
  private final List<String> broken;
  private final List<ReceiveTrack> receives = new ArrayList<>();

  /**
   * A message without receives so far.
   *
   * @param name the worker and the message, for sentences
   * @param broken where sentences about broken rules go
   */
  MessageTrack(String name, List<String> broken) {
    this.name = name;
    this.broken = broken;
  }

  /** Takes the next event of the message. */
  void add(MessageEvent event) {
    switch (event) {
      case WorkerEvent.Received received -> receives.add(new ReceiveTrack(received.receiveCount()));
      case WorkerEvent.ExtendSent sent -> apply(event, ReceiveTrack::isOpen, one -> {}, "after its end");
      case WorkerEvent.Extended extended -> apply(event, ReceiveTrack::isOpen, one -> {}, "after its end");
      case WorkerEvent.HandlerStarted started -> apply(event, one -> true, one -> one.started = true, "");
      case WorkerEvent.Committed committed -> done(event);
      case WorkerEvent.Suppressed suppressed -> done(event);
      case WorkerEvent.Rejected rejected ->
          apply(event, one -> one.isOpen() && !one.done && !one.rejected, one -> one.rejected = true, "after its end");
      case WorkerEvent.Deleted deleted -> deleted(event, MessageTrack::settle);
      case WorkerEvent.DeleteFailed failed when failed.retryIn().isPresent() ->
          deleted(event, one -> one.left = true);
      case WorkerEvent.DeleteFailed failed -> deleted(event, MessageTrack::settle);
      case WorkerEvent.Released released -> kept(event);
      case WorkerEvent.ReleaseFailed failed -> kept(event);
      case WorkerEvent.LeftForRedrive left -> kept(event);
      // After a commit there is nothing to lose any more.
      case WorkerEvent.LeaseLost lost -> returned(event, MessageTrack::lose);
      case WorkerEvent.NotStarted not -> apply(event, one -> one.lost, one -> {}, "before its loss");
      default -> {
        // Says nothing about the lease or the settlement.
      }
    }
  }

  /** How many of its receives hold a permit. */
  int inFlight() {
    return (int) receives.stream().filter(one -> !one.left).count();
  }

  /** How many of its receives hold a permit and had a handler; in a group the next one takes over from the commit on. */
  int running(boolean ordered) {
    return (int) receives.stream().filter(one -> one.started && !one.left && !(ordered && one.done)).count();
  }

  /** The worker has closed: every receive must have ended. */
  void close() {
    long open = receives.stream().filter(ReceiveTrack::isOpen).count();
    if (open > 0) {
      broken.add(name + ": " + open + " of " + receives.size() + " receives ended in no settlement and no loss");
    }
  }

  /** The effect is durable, with the lease or without. */
  private void done(MessageEvent event) {
    apply(event, one -> !one.done && !one.settled, one -> one.done = true, "after its end");
  }

  /** A delete was answered; it may follow a loss. That of a rejected message needs no commit. */
  private void deleted(MessageEvent event, Consumer<ReceiveTrack> effect) {
    apply(event, one -> (one.done || one.rejected) && !one.settled, effect, "before its commit");
  }

  /** The message goes back without an effect, and not because it was rejected. */
  private void kept(MessageEvent event) {
    apply(event, one -> one.isOpen() && !one.done && !one.rejected, MessageTrack::settle, "after its end");
  }

  /** The message is lost without an effect. */
  private void returned(MessageEvent event, Consumer<ReceiveTrack> effect) {
    apply(event, one -> one.isOpen() && !one.done, effect, "after its end");
  }

  private static void settle(ReceiveTrack one) {
    one.settled = true;
    one.left = true;
  }

  private static void lose(ReceiveTrack one) {
    one.lost = true;
    one.left = true;
  }

  private void apply(
      MessageEvent event, Predicate<ReceiveTrack> allowed, Consumer<ReceiveTrack> effect, String otherwise) {
    List<ReceiveTrack> named = receives.stream().filter(one -> one.receiveCount == event.receiveCount()).toList();
    Optional<ReceiveTrack> fitting = named.stream().filter(allowed).findFirst();
    if (fitting.isPresent()) {
      effect.accept(fitting.get());
    } else {
      broken.add(
          name + ": " + event.getClass().getSimpleName() + " of receive " + event.receiveCount() + " "
              + (named.isEmpty() ? "that never came" : otherwise + " or twice"));
    }
  }
}
