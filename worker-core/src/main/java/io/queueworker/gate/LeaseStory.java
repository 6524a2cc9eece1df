package io.queueworker.gate;

import io.queueworker.LossReason;
import java.time.Duration;

/**
 * How the lease of a message stood at one time, so that a redelivery can be explained.
 *
 * <p>Immutable.
 *
 * @param standing whether it was held, or how it ended
 * @param visibility the visibility timeout that the worker relied on, from the last extension or the receive; zero when unknown
 * @param left how long it was surely held from then on; zero when it was not
 */
public record LeaseStory(Standing standing, Duration visibility, Duration left) {

  /** Nothing is known. */
  public static final LeaseStory UNKNOWN = new LeaseStory(Standing.UNKNOWN, Duration.ZERO, Duration.ZERO);

  /** Whether a lease is held, or how it ended. */
  public enum Standing {
    /** It is held. */
    HELD,
    /** Its time ran out; this worker's heartbeat is off. */
    NOT_EXTENDED,
    /** Its time ran out, since no extension succeeded. */
    BEATS_FAILED,
    /** Its time ran out, since the worker may not extend. */
    BEATS_DENIED,
    /** Its time ran out while the process stood still. */
    STOOD_STILL,
    /** It ended for {@link LossReason#REFUSED}. */
    REFUSED,
    /** It ended for {@link LossReason#OVERTIME}. */
    OVERTIME,
    /** It ended for {@link LossReason#STALLED}. */
    STALLED,
    /** It ended for {@link LossReason#GIVEN_UP}. */
    GIVEN_UP,
    /** It ended for {@link LossReason#MAX_HOLD}. */
    MAX_HOLD,
    /** It ended for {@link LossReason#TAKEN_OVER}. */
    TAKEN_OVER,
    /** It ended for {@link LossReason#CLOSED}. */
    CLOSED,
    /** Nothing is known. */
    UNKNOWN;

    /** That of a lease that was lost for a reason other than its time. */
    public static Standing of(LossReason reason) {
      return switch (reason) {
        case EXPIRED -> BEATS_FAILED;
        case REFUSED -> REFUSED;
        case OVERTIME -> OVERTIME;
        case STALLED -> STALLED;
        case GIVEN_UP -> GIVEN_UP;
        case MAX_HOLD -> MAX_HOLD;
        case TAKEN_OVER -> TAKEN_OVER;
        case CLOSED -> CLOSED;
      };
    }
  }
}
