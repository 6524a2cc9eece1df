package io.queueworker.observe;

import io.queueworker.timing.PlainDuration;
import java.time.Duration;

/**
 * A duration estimated from runs of which some have not finished.
 *
 * <p>Immutable.
 *
 * @param value the duration
 * @param atLeast whether the true one may be longer, since the runs that would tell have not finished
 */
public record Estimate(Duration value, boolean atLeast) {

  /** A duration that only finished runs decide, such as {@code 6 s}. */
  public static Estimate exactly(Duration value) {
    return new Estimate(value, false);
  }

  /** A duration that the true one may exceed. */
  public static Estimate atLeast(Duration value) {
    return new Estimate(value, true);
  }

  /** The duration in words: {@code 6 s}, or {@code at least 6 s}. */
  public String text() {
    return (atLeast ? "at least " : "") + PlainDuration.text(value);
  }

  /** The same as {@link #text()}. */
  @Override
  public String toString() {
    return text();
  }
}
