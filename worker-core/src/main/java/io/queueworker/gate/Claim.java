package io.queueworker.gate;

import java.util.Optional;

/** How it ended when an attempt tried to write its started row. */
sealed interface Claim {

  /**
   * The row is this attempt's, uncommitted.
   *
   * @param attempt the number that the completion must find again
   * @param unfinished the row that was there, committed by an attempt that did not complete
   */
  record Mine(int attempt, Optional<KeyRow> unfinished) implements Claim {}

  /** Another attempt completed the key. */
  record Done(KeyRow row) implements Claim {}

  /** Another attempt is at it. */
  record Busy() implements Claim {}
}
