package io.queueworker.observe;

import static io.queueworker.timing.PlainDuration.text;

import io.queueworker.Failure.Stage;
import io.queueworker.gate.Admission.Completion;
import io.queueworker.observe.WorkerEvent.HoldReason;
import io.queueworker.observe.WorkerEvent.MessageEvent;

/** What happened to a message, as a sentence for the log. Stateless. */
final class MessageSentence {

  private MessageSentence() {}

  /** The sentence, which says what to do when the event wants a person. */
  static String of(MessageEvent event) {
    return switch (event) {
      case WorkerEvent.Received e ->
          "received for the " + ordinal(e.receiveCount()) + " time, held for " + text(e.leaseLeft()) + ".";
      case WorkerEvent.NotStarted e ->
          "not started, since " + e.reason().words() + "; the message comes back. " + LossAdvice.of(e.reason());
      case WorkerEvent.HandlerStarted e -> "the handler starts, receive count " + e.receiveCount() + ".";
      case WorkerEvent.HandlerReturned e -> "the handler returned after " + text(e.took()) + ".";
      case WorkerEvent.Failed e -> failed(e);
      case WorkerEvent.CutShort e ->
          "cut short by the close; nothing failed, and the message goes back to come again in " + text(e.delay()) + ".";
      case WorkerEvent.HeldBack e ->
          "held and tried again " + when(e) + ": " + words(e.reason()) + " (" + OneLine.of(e.why()) + ").";
      case WorkerEvent.Committed e -> "committed " + text(e.sinceReceived()) + " after its receive.";
      case WorkerEvent.CommitUnknown e ->
          "the commit was sent and not answered (" + OneLine.of(e.cause())
              + "), so the key is read again before anything else happens. If this repeats, check the database and the network.";
      case WorkerEvent.Suppressed e -> suppressed(e);
      case WorkerEvent.GateWarning e -> OneLine.of(e.warning());
      case WorkerEvent.EffectUncertain e ->
          "not run but rejected, since it is uncertain whether its effect happened. " + OneLine.of(e.why());
      case WorkerEvent.ExtendSent e ->
          (e.urgent() ? "an urgent extension to " : "an extension to ") + text(e.visibility()) + " was sent.";
      case WorkerEvent.Extended e -> "extended, held for another " + text(e.leaseLeft()) + ".";
      case WorkerEvent.ExtendFailed e ->
          "an extension failed (" + OneLine.of(e.why()) + ") and is tried again for the " + text(e.leaseLeft())
              + " that the lease lasts. If this goes on, check the network and sqs:ChangeMessageVisibility.";
      case WorkerEvent.LeaseLost e ->
          "lease lost, since " + e.reason().words() + (e.detail().isEmpty() ? "" : " (" + OneLine.of(e.detail()) + ")")
              + "; the message may be delivered again. "
              + LossAdvice.of(e.reason());
      case WorkerEvent.Interrupted e -> "the handler was told to end, since " + e.reason().words() + ".";
      case WorkerEvent.HandlerStuck e ->
          "the handler on thread=" + OneLine.of(e.thread()) + " was told to end and still runs after "
              + text(e.running())
              + "; it keeps its permit. Take a thread dump, and make the handler end on an interrupt or give its calls timeouts.";
      case WorkerEvent.HandlerUnstuck e -> "the stuck handler ended after all; its permit is free again.";
      case WorkerEvent.Deleted e -> "deleted " + text(e.sinceCommitted()) + " after it was done or rejected.";
      case WorkerEvent.DeleteFailed e -> deleteFailed(e);
      case WorkerEvent.Released e -> "released, visible again after " + text(e.delay()) + ".";
      case WorkerEvent.ReleaseFailed e ->
          "a release failed (" + OneLine.of(e.why())
              + "); the message comes back when its visibility timeout runs out. If"
              + " this goes on, check the network and sqs:ChangeMessageVisibility.";
      case WorkerEvent.LeftForRedrive e -> "left to come back by itself, for the queue's redrive policy to count.";
      case WorkerEvent.Rejected e ->
          "rejected: the dead-letter queue " + OneLine.of(e.deadLetterQueue()) + " has it (" + OneLine.of(e.reason())
              + "), and it is deleted here.";
      case WorkerEvent.RejectFailed e -> rejectFailed(e);
    };
  }

  private static String failed(WorkerEvent.Failed event) {
    String step =
        switch (event.stage()) {
          case DECODE -> "the body could not be decoded";
          case KEY -> "the key function failed";
          case HANDLE -> "the handler failed";
          case COMMIT -> "the commit failed";
        };
    String cause =
        event.stage() == Stage.DECODE || event.stage() == Stage.KEY
            ? OneLine.withoutMessage(event.cause())
                + "; the exception's message is left out, since it may quote the body"
            : OneLine.of(event.cause());
    return step + ", receive count " + event.receiveCount() + " (" + cause + "). Decision: "
        + OneLine.of(event.decision())
        + ".";
  }

  private static String suppressed(WorkerEvent.Suppressed event) {
    String start = "already done, so it is only deleted, receive count " + event.receiveCount() + ".";
    String who = event.by().map(by -> " " + doneBy(by)).orElse("");
    return start + who + " Why it came again: " + OneLine.of(event.diagnosis().text());
  }

  private static String doneBy(Completion by) {
    return "The work was done by worker " + OneLine.of(by.worker()) + " for message " + OneLine.of(by.messageId())
        + ", receive count " + by.receiveCount() + ", from " + by.startedAt() + " on in " + text(by.took())
        + "; redeliveries suppressed so far: " + by.suppressed() + ".";
  }

  private static String deleteFailed(WorkerEvent.DeleteFailed event) {
    String start = "a delete failed (" + OneLine.of(event.why()) + ")";
    String check = " check the network and sqs:DeleteMessage.";
    return event
        .retryIn()
        .map(retryIn -> start + " and is tried again in " + text(retryIn) + ". If this goes on," + check)
        .orElse(
            start
                + " for good. The message comes back although it was done or rejected; if it was done, a gate recognises"
                + " it;" + check);
  }

  private static String rejectFailed(WorkerEvent.RejectFailed event) {
    String start = "could not be sent to the dead-letter queue (" + OneLine.of(event.why()) + ")";
    return event
        .retryIn()
        .map(
            retryIn -> start + " and is tried again in " + text(retryIn)
                + ". If this goes on, check that the dead-letter queue exists and can be reached.")
        .orElse(
            start + ", so it comes back by itself. Check the redrive policy and sqs:SendMessage on the dead-letter"
                + " queue.");
  }

  private static String when(WorkerEvent.HeldBack event) {
    return event.reason() == HoldReason.BREAKER_OPEN
        ? "when the breaker permits it, for " + text(event.retryIn()) + " at most"
        : "in " + text(event.retryIn());
  }

  private static String words(HoldReason reason) {
    return switch (reason) {
      case IN_PROGRESS -> "another attempt at its key is under way";
      case GATE_UNAVAILABLE -> "the gate's store cannot be reached";
      case COMMIT_UNKNOWN -> "a commit was not answered";
      case RETRY_IN_ORDER -> "it failed, and those of its group wait behind it";
      case GROUP_FULL -> "as many messages of its group as may be are worked on";
      case EARLIER_RUN -> "an earlier run of the same message has not ended here";
      case BREAKER_OPEN -> "the circuit breaker is not closed";
      case RATE_LIMITED -> "the rate limiter lets its handler start later";
    };
  }

  private static String ordinal(int count) {
    int lastTwo = count % 100;
    String ending =
        lastTwo >= 11 && lastTwo <= 13
            ? "th"
            : switch (count % 10) {
              case 1 -> "st";
              case 2 -> "nd";
              case 3 -> "rd";
              default -> "th";
            };
    return count + ending;
  }
}
