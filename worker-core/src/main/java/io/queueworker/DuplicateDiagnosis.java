package io.queueworker;

/**
 * What a worker found out about a redelivery that it recognised.
 *
 * <p>Immutable.
 *
 * @param cause the likeliest cause; where a fact only makes it likely, {@code facts} says so
 * @param facts one sentence or more with what is known: who did the work, how long it took against which visibility timeout, what
 *     failed. Without bodies or receipts
 */
public record DuplicateDiagnosis(DuplicateCause cause, String facts) {

  /** The facts, then what to change. */
  public String text() {
    return facts + " " + cause.advice();
  }

  /** The cause's name: in a list of events the facts are too long. */
  @Override
  public String toString() {
    return cause.name();
  }
}
