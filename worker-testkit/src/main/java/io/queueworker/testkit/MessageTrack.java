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
 * <p>Events name the message, not the receive. While receives of one message overlap, an event counts for the oldest
 * receive that it fits, and breaks a rule only when it fits none.
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
      case WorkerEvent.ExtendSent sent -> apply(event, one -> !one.lost && !one.settled, one -> {}, "after its end");
      case WorkerEvent.Extended extended -> apply(event, one -> !one.lost && !one.settled, one -> {}, "after its end");
      case WorkerEvent.HandlerStarted started -> receives.stream()
          .filter(one -> one.receiveCount == started.receiveCount()).findFirst().ifPresent(one -> one.started = true);
      case WorkerEvent.Committed committed -> commit(event);
      case WorkerEvent.Suppressed suppressed -> suppress(suppressed);
      case WorkerEvent.Deleted deleted -> deleted(event, this::settle);
      case WorkerEvent.DeleteFailed failed -> deleteFailed(failed);
      case WorkerEvent.Released released ->
          apply(event, one -> one.isOpen() && !one.done, this::settle, "after its end");
      case WorkerEvent.ReleaseFailed failed ->
          apply(event, one -> one.isOpen() && !one.done, this::settle, "after its end");
      case WorkerEvent.LeftForRedrive left ->
          apply(event, one -> one.isOpen() && !one.done, this::settle, "after its end");
      case WorkerEvent.Failed failed -> failed(failed);
      case WorkerEvent.LeaseLost lost -> lose(event);
      default -> {
        // Says nothing about the lease or the settlement.
      }
    }
  }

  /** How many of its receives hold a permit. */
  int inFlight() {
    return (int) receives.stream().filter(one -> !one.left).count();
  }

  /** How many of its receives hold a permit and had a handler. */
  int running() {
    return (int) receives.stream().filter(one -> one.started && !one.left).count();
  }

  /** The worker has closed: every receive must have ended. */
  void close() {
    long open = receives.stream().filter(ReceiveTrack::isOpen).count();
    // Where receives overlapped, a loss may have been counted for the one that was deleted after its own commit.
    long twice = receives.stream().filter(one -> one.lost && one.settled).count();
    if (open > twice) {
      broken.add(
          name + ": " + (open - twice) + " of " + receives.size() + " receives ended in no settlement and no loss");
    }
  }

  private void deleteFailed(WorkerEvent.DeleteFailed failed) {
    boolean forGood = failed.retryIn().isEmpty();
    Consumer<ReceiveTrack> effect =
        one -> {
          one.left = true;
          one.settled = forGood;
        };
    Predicate<ReceiveTrack> refused = one -> one.lost && one.done && !one.settled;
    if (forGood && receives.stream().anyMatch(refused)) {
      // A receipt whose time ran out is what a FIFO queue refuses.
      apply(failed, refused, effect, "before its commit");
    } else {
      deleted(failed, effect);
    }
  }

  /** Counts for a receive that holds a permit if there is one: another's delete may be waiting for its next try. */
  private void deleted(MessageEvent event, Consumer<ReceiveTrack> effect) {
    Predicate<ReceiveTrack> allowed = one -> one.done && !one.settled;
    apply(event, preferring(allowed, one -> !one.left), effect, "before its commit");
  }

  private void failed(WorkerEvent.Failed failed) {
    receives.stream()
        .filter(one -> one.receiveCount == failed.receiveCount() && one.isOpen())
        .findFirst()
        .ifPresent(one -> one.failed = true);
  }

  /** Counts for a receive that has not failed if there is one: what failed is being released. */
  private void lose(MessageEvent event) {
    // After a commit there is nothing to lose any more.
    apply(event, preferring(ReceiveTrack::isOpen, one -> !one.failed && !one.done), this::lose, "after its end");
  }

  private Predicate<ReceiveTrack> preferring(Predicate<ReceiveTrack> allowed, Predicate<ReceiveTrack> better) {
    Predicate<ReceiveTrack> best = allowed.and(better);
    return receives.stream().anyMatch(best) ? best : allowed;
  }

  /** Counts for the newest receive whose handler started: one that was given back may still wait for its answer. */
  private void commit(MessageEvent event) {
    List<ReceiveTrack> started = receives.stream().filter(one -> one.started && !one.done && !one.settled).toList();
    if (started.isEmpty()) {
      apply(event, one -> !one.done && !one.settled, this::done, "twice");
    } else {
      done(started.get(started.size() - 1));
    }
  }

  /** Counts for the receive that it names: one that was lost before may never have been done. */
  private void suppress(WorkerEvent.Suppressed suppressed) {
    Predicate<ReceiveTrack> allowed = one -> !one.done && !one.settled;
    apply(
        suppressed,
        preferring(allowed, one -> one.receiveCount == suppressed.receiveCount()),
        this::done,
        "twice");
  }

  private void done(ReceiveTrack one) {
    one.done = true;
  }

  private void settle(ReceiveTrack one) {
    one.settled = true;
    one.left = true;
  }

  private void lose(ReceiveTrack one) {
    one.lost = true;
    one.left = true;
  }

  private void apply(
      MessageEvent event, Predicate<ReceiveTrack> allowed, Consumer<ReceiveTrack> effect, String otherwise) {
    Optional<ReceiveTrack> fitting = receives.stream().filter(allowed).findFirst();
    if (fitting.isPresent()) {
      effect.accept(fitting.get());
    } else {
      String what = receives.isEmpty() ? "without a receive" : otherwise + " or twice";
      broken.add(name + ": " + event.getClass().getSimpleName() + " " + what.replace("twice or twice", "twice"));
    }
  }
}
