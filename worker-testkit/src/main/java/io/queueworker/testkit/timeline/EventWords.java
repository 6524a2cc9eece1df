package io.queueworker.testkit.timeline;

import io.queueworker.gate.Admission.Completion;
import io.queueworker.observe.WorkerEvent;
import io.queueworker.observe.WorkerEvent.MessageEvent;
import java.time.Duration;
import java.util.Optional;

/** An event of a message in the few words that fit into a column. Stateless. */
final class EventWords {

  private EventWords() {}

  /** The words for it. */
  static String of(MessageEvent event) {
    return switch (event) {
      case WorkerEvent.Received e -> "receives the message, count " + e.receiveCount() + held(e.leaseLeft());
      case WorkerEvent.NotStarted e -> "NOT STARTED: " + e.reason();
      case WorkerEvent.HandlerStarted e -> "handler starts";
      case WorkerEvent.HandlerReturned e -> "handler returns after " + Plain.seconds(e.took());
      case WorkerEvent.Failed e -> "FAILED: " + e.cause().getClass().getSimpleName() + "; " + e.decision();
      case WorkerEvent.CutShort e -> "cut short by the close";
      case WorkerEvent.HeldBack e -> "waits: " + e.reason() + ", asks in " + Plain.seconds(e.retryIn());
      case WorkerEvent.Committed e -> "COMMITS: the effect is durable";
      case WorkerEvent.CommitUnknown e -> "COMMIT NOT ANSWERED";
      case WorkerEvent.Suppressed e ->
          "SUPPRESSED, no second effect: " + e.by().map(Completion::worker).orElse("somebody")
              + " has committed this key";
      case WorkerEvent.GateWarning e -> "WARNING: " + e.warning();
      case WorkerEvent.EffectUncertain e -> "EFFECT UNCERTAIN";
      case WorkerEvent.ExtendSent e -> "extension sent";
      case WorkerEvent.Extended e -> "extended" + held(e.leaseLeft());
      case WorkerEvent.ExtendFailed e -> "EXTENSION FAILED" + held(e.leaseLeft());
      case WorkerEvent.LeaseLost e -> "LEASE ENDS: " + e.reason();
      case WorkerEvent.Interrupted e -> "told to end: " + e.reason();
      case WorkerEvent.HandlerStuck e -> "STUCK after " + Plain.seconds(e.running());
      case WorkerEvent.HandlerUnstuck e -> "stuck handler ended";
      case WorkerEvent.Deleted e -> "deletes the message";
      case WorkerEvent.DeleteFailed e ->
          e.why().contains("ReceiptHandleIsInvalid")
              ? "delete refused: the receipt is too old"
              : "delete failed" + again(e.retryIn());
      case WorkerEvent.Released e -> "releases the message, visible in " + Plain.seconds(e.delay());
      case WorkerEvent.ReleaseFailed e -> "release failed";
      case WorkerEvent.LeftForRedrive e -> "leaves the message to come back by itself";
      case WorkerEvent.Rejected e -> "REJECTED to " + e.deadLetterQueue();
      case WorkerEvent.RejectFailed e -> "reject failed" + again(e.retryIn());
    };
  }

  private static String held(Duration left) {
    return ", held for " + Plain.seconds(left);
  }

  private static String again(Optional<Duration> retryIn) {
    return retryIn.map(pause -> ", again in " + Plain.seconds(pause)).orElse(" for good");
  }
}
