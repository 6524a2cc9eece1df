package io.queueworker.testkit.timeline;

import io.queueworker.observe.WorkerEvent;
import io.queueworker.observe.WorkerEvent.MessageEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * What one worker did with one receive of a message: its lease, its handler and the end. Immutable.
 *
 * @param worker the worker's id
 * @param receiveCount the receive
 * @param moments its events in order, at least one
 * @param lastSign when the worker was last heard of at all, in nanoseconds since the time line's first event
 */
record Stay(String worker, int receiveCount, List<Moment> moments, long lastSign) {

  /**
   * A time until which the lease was to last. Immutable.
   *
   * @param givenAt when the receive or the extension was answered
   * @param at the deadline
   */
  record Deadline(long givenAt, long at) {}

  /**
   * The span in which the lease held. Immutable.
   *
   * @param from the receive
   * @param to its end: the loss, the last deadline, or the call that settled the message
   */
  record Held(long from, long to) {}

  Stay {
    moments = List.copyOf(moments);
  }

  long start() {
    return moments.getFirst().nanos();
  }

  /** When nothing of it goes on any more. */
  long end() {
    long end = Math.max(moments.getLast().nanos(), held().to());
    for (Run run : runs()) {
      end = Math.max(end, run.to());
    }
    return end;
  }

  /** The deadlines, of which each replaced the one before. */
  List<Deadline> deadlines() {
    List<Deadline> all = new ArrayList<>();
    for (Moment moment : moments) {
      leaseLeft(moment.event()).ifPresent(left -> all.add(new Deadline(moment.nanos(), moment.nanos() + left)));
    }
    return all;
  }

  private static OptionalLong leaseLeft(MessageEvent event) {
    return switch (event) {
      case WorkerEvent.Received e -> OptionalLong.of(e.leaseLeft().toNanos());
      case WorkerEvent.Extended e -> OptionalLong.of(e.leaseLeft().toNanos());
      default -> OptionalLong.empty();
    };
  }

  /** How long the lease held. */
  Held held() {
    long deadline = start();
    for (Moment moment : moments) {
      OptionalLong left = leaseLeft(moment.event());
      if (left.isPresent()) {
        deadline = moment.nanos() + left.getAsLong();
      } else if (endsLease(moment.event())) {
        return new Held(start(), Math.min(moment.nanos(), Math.max(deadline, start())));
      }
    }
    return new Held(start(), deadline);
  }

  private static boolean endsLease(MessageEvent event) {
    return switch (event) {
      case WorkerEvent.LeaseLost e -> true;
      case WorkerEvent.NotStarted e -> true;
      case WorkerEvent.Deleted e -> true;
      case WorkerEvent.Released e -> true;
      case WorkerEvent.LeftForRedrive e -> true;
      case WorkerEvent.Rejected e -> true;
      default -> false;
    };
  }

  /** The handler's runs; more than one where the message was tried again in place. */
  List<Run> runs() {
    List<Run> all = new ArrayList<>();
    long from = -1;
    for (Moment moment : moments) {
      if (from >= 0 && endsRun(moment.event())) {
        all.add(new Run(worker, receiveCount, from, moment.nanos(), true));
        from = -1;
      } else if (moment.event() instanceof WorkerEvent.HandlerStarted) {
        from = moment.nanos();
      }
    }
    if (from >= 0) {
      all.add(new Run(worker, receiveCount, from, Math.max(from, lastSign), false));
    }
    return all;
  }

  /**
   * A handler that the gate refused does not return: it is thrown out of its first write. Where nothing else tells of that, its
   * settlement does: no message is given back or deleted while its handler runs.
   */
  private static boolean endsRun(MessageEvent event) {
    return switch (event) {
      case WorkerEvent.HandlerReturned e -> true;
      case WorkerEvent.Failed e -> true;
      case WorkerEvent.Suppressed e -> true;
      case WorkerEvent.HeldBack e -> true;
      case WorkerEvent.CutShort e -> true;
      case WorkerEvent.HandlerUnstuck e -> true;
      case WorkerEvent.CommitUnknown e -> true;
      case WorkerEvent.Deleted e -> true;
      case WorkerEvent.Released e -> true;
      case WorkerEvent.LeftForRedrive e -> true;
      case WorkerEvent.Rejected e -> true;
      default -> false;
    };
  }
}
