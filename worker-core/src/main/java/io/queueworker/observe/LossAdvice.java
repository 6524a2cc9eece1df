package io.queueworker.observe;

import io.queueworker.LossReason;

/** What a person can change so that leases are not lost for a reason again. Stateless. */
final class LossAdvice {

  private LossAdvice() {}

  /** One or two sentences. */
  static String of(LossReason reason) {
    return switch (reason) {
      case EXPIRED ->
          "Look for failed extensions, long pauses of the process and a missing sqs:ChangeMessageVisibility; with heartbeat"
              + " off, set a visibility timeout that sizing() advises.";
      case REFUSED ->
          "Look for another reader that deletes messages of this queue, for a purge, and for a visibility timeout that is"
              + " shorter than this worker's pauses.";
      case OVERTIME ->
          "Raise maxProcessingTime if such work is legitimate, as sizing() advises, or give the handler's own calls shorter"
              + " timeouts.";
      case STALLED ->
          "Call progress() more often than stallTimeout, raise stallTimeout, or give the handler's own calls timeouts.";
      case GIVEN_UP -> "Check what keepAliveWhile looks at, if this was not meant to happen.";
      case MAX_HOLD ->
          "Split the work so that it fits maxHold, or find out why the message could not be finished for so long.";
      case TAKEN_OVER ->
          "Look for a gate that could not be reached in time, for long pauses of the process, and for two messages with one"
              + " key.";
      case CLOSED ->
          "Raise drainTimeout, and the time that the platform gives the process to end, if this happens often.";
    };
  }
}
