package io.queueworker.observe;

import static io.queueworker.timing.PlainDuration.text;

import io.queueworker.PauseReason;
import io.queueworker.observe.WorkerEvent.MessageEvent;
import java.util.List;

/** What happened to a worker, as a sentence for its log. Stateless. */
final class WorkerSentence {

  /** More names than this make no line that a person reads. */
  private static final int NAMES = 20;

  private WorkerSentence() {}

  /** The sentence, which says what to do when the event wants a person. */
  static String of(WorkerEvent event, String queue) {
    return switch (event) {
      case WorkerEvent.Started e -> "started with a visibility timeout of " + text(e.visibility()) + ".";
      case WorkerEvent.Draining e ->
          "drains: it receives no more and has up to " + text(e.budget()) + " for " + messages(e.inFlight())
              + " in flight.";
      case WorkerEvent.Closed e -> closed(e);
      case WorkerEvent.Paused e -> paused(e);
      case WorkerEvent.Resumed e -> "a reason for not receiving is gone: " + words(e.reason()) + ".";
      case WorkerEvent.ReceiveCompleted e ->
          "received " + e.received() + " of at most " + messages(e.asked()) + " after " + text(e.took()) + ".";
      case WorkerEvent.ReceiveFailed e ->
          "a receive failed, " + e.inARow() + " in a row (" + OneLine.of(e.kind()) + ": " + OneLine.of(e.why())
              + "); the next one comes in "
              + text(e.retryIn())
              + ". Check that the queue exists, that it can be reached and that the credentials are valid.";
      case WorkerEvent.PollReplaced e ->
          "the receive on thread=" + e.thread() + " did not end by its own deadline, and another poll took its place."
              + " If this repeats, check the network and set an API call timeout above pollWait on the receive client.";
      case WorkerEvent.VisibilityChanged e ->
          "the queue's visibility timeout was changed from " + text(e.from()) + " to " + text(e.to())
              + "; the worker uses it.";
      case WorkerEvent.PermissionDenied e -> denied(OneLine.of(e.action()), queue);
      case WorkerEvent.PermissionRestored e -> "the permission " + OneLine.of(e.action()) + " is there again.";
      case WorkerEvent.ClockGap e ->
          "stood still for " + text(e.length()) + " (" + OneLine.of(e.why())
              + "), so its leases count as that much older."
              + " Look for long collections, a suspended machine or a CPU limit; messages may be delivered again.";
      case WorkerEvent.InternalError e ->
          "failed in its own code at " + OneLine.of(e.where()) + " and goes on. Please report this as a bug.";
      case WorkerEvent.UserCodeFailed e ->
          "code given to the worker threw in " + OneLine.of(e.where()) + " (" + OneLine.of(e.cause())
              + "), and the worker goes on. Make it catch what it throws.";
      case MessageEvent e -> MessageSentence.of(e);
    };
  }

  private static String closed(WorkerEvent.Closed event) {
    String closed = "closed after " + text(event.took());
    if (event.leftOver().isEmpty()) {
      return closed + "; nothing is left in flight.";
    }
    List<String> names = event.leftOver();
    String listed = OneLine.of(String.join(", ", names.subList(0, Math.min(NAMES, names.size()))));
    String more = names.size() > NAMES ? " and " + (names.size() - NAMES) + " more" : "";
    return closed + " and could not finish " + listed + more
        + ". These come back when their visibility timeout runs out; raise drainTimeout if this happens often.";
  }

  private static String paused(WorkerEvent.Paused event) {
    String doing =
        switch (event.reason()) {
          case BY_HAND -> "Call resume() to go on.";
          case GATE_UNAVAILABLE ->
              "Check the database of the gate; messages in flight are held meanwhile and receiving goes on by itself.";
          case PERMISSION_DENIED -> "Grant the missing permission; receiving goes on by itself.";
          case BREAKER_OPEN ->
              "Check what the handlers depend on; the breaker tries it from time to time, and receiving goes on by itself.";
          case RATE_LIMITED -> "Raise the limit if what the handlers depend on can take more.";
        };
    return (event.reason().stopsReceiving() ? "stopped receiving: " : "receives more slowly: ") + words(event.reason())
        + " (" + OneLine.of(event.why()) + "). " + doing;
  }

  private static String words(PauseReason reason) {
    return switch (reason) {
      case BY_HAND -> "paused by hand";
      case GATE_UNAVAILABLE -> "the gate's store cannot be reached";
      case PERMISSION_DENIED -> "a permission is missing";
      case BREAKER_OPEN -> "the circuit breaker is not closed";
      case RATE_LIMITED -> "the rate limiter paces it";
    };
  }

  private static String denied(String called, String queue) {
    boolean elsewhere = called.equals("sqs:SendMessage") || called.endsWith(Permissions.ON_DEAD_LETTERS);
    String action = called.replace(Permissions.ON_DEAD_LETTERS, "");
    String resource =
        action.startsWith("sqs:")
            ? "arn:aws:sqs:<region>:<account>:" + (elsewhere ? "<the dead-letter queue>" : queue)
            : "<ARN of what the queue is encrypted with>";
    return "may not call " + called + ". Add this statement to the policy of the worker's role: {\"Effect\":\"Allow\","
        + "\"Action\":\"" + action + "\",\"Resource\":\"" + resource + "\"}";
  }

  private static String messages(int count) {
    return count == 1 ? "1 message" : count + " messages";
  }
}
