package io.queueworker.examples;

import io.queueworker.gate.Admission.Completion;
import io.queueworker.observe.WorkerEvent;
import io.queueworker.observe.WorkerEvent.MessageEvent;
import java.time.Duration;
import java.util.Locale;

/** An event in the few words that fit into a column of {@link TwoWorkerTimeline}. Stateless. */
final class TimelineWords {

  private TimelineWords() {}

  /** The words for it. */
  static String of(MessageEvent event) {
    return switch (event) {
      case WorkerEvent.Received e -> "receives the event, count " + e.receiveCount() + held(e.leaseLeft());
      case WorkerEvent.HandlerStarted e -> "handler starts";
      case WorkerEvent.Extended e -> "extended" + held(e.leaseLeft());
      case WorkerEvent.ExtendFailed e -> "EXTENSION FAILED" + held(e.leaseLeft());
      case WorkerEvent.LeaseLost e -> "LEASE ENDS: " + e.reason();
      case WorkerEvent.HandlerReturned e -> "handler returns after " + seconds(e.took());
      case WorkerEvent.Committed e -> "COMMITS: the effect is durable";
      case WorkerEvent.Suppressed e ->
          "SUPPRESSED, no second effect: " + e.by().map(Completion::worker).orElse("somebody")
              + " has committed this key";
      case WorkerEvent.HeldBack e -> "waits: " + e.reason() + ", asks in " + seconds(e.retryIn());
      case WorkerEvent.Deleted e -> "deletes the message";
      case WorkerEvent.DeleteFailed e ->
          e.why().contains("ReceiptHandleIsInvalid") ? "delete refused: the receipt is too old" : "delete failed";
      default -> event.getClass().getSimpleName();
    };
  }

  private static String held(Duration left) {
    return ", held for " + seconds(left);
  }

  /** A duration in seconds, to the hundredth. */
  static String seconds(Duration duration) {
    return String.format(Locale.ROOT, "%.2f s", duration.toNanos() / 1e9);
  }
}
