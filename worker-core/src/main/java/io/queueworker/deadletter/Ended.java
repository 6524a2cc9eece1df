package io.queueworker.deadletter;

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
}
