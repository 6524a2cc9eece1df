package io.queueworker.deadletter;

import io.queueworker.queue.MessageQueue;

/** Ends a run early. Carries no stack: it is an answer, not a fault. */
final class Ended extends RuntimeException {

  private static final long serialVersionUID = 1L;

  final RedriveReport.End end;
  final String detail;

  Ended(RedriveReport.End end, String detail) {
    super(detail, null, false, false);
    this.end = end;
    this.detail = detail;
  }

  /** A call that the service denied, with what helps. Credentials that ran out are answered in the same way. */
  static Ended denied(String action, MessageQueue queue) {
    return new Ended(
        RedriveReport.End.DENIED,
        "Denied: " + action + " on queue " + queue.name()
            + ". Grant it to whoever runs the redrive, or renew the credentials if they ran out.");
  }
}
