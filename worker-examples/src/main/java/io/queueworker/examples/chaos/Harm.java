package io.queueworker.examples.chaos;

import java.util.Optional;

/** Something that is going to be done to a worker. Immutable. */
sealed interface Harm {

  /** How long to wait before it, from the harm before. */
  long pauseMillis();

  /** The step right after which it is done, to the first worker that reports it; empty for a random moment and victim. */
  Optional<Step> aim();

  /** SIGKILL. */
  record Killing(long pauseMillis, Optional<Step> aim) implements Harm {}

  /**
   * SIGSTOP, and after some time SIGCONT.
   *
   * @param lengthMillis after how long
   * @param fatal whether it is SIGKILL instead of SIGCONT, which counts as one of the kills
   */
  record Freezing(long pauseMillis, Optional<Step> aim, long lengthMillis, boolean fatal) implements Harm {}
}
