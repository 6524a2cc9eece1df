package io.queueworker.receive;

import io.queueworker.PauseReason;
import java.time.Duration;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * How much receives may ask for while a rate limits how fast handlers start: no more than can start soon, so that what others
 * could work on does not wait here. Thread-safe.
 */
public final class Pacing {

  /** For so long after the rate last made a receive wait it counts as what limits it: else each pause would be told of. */
  private static final long QUIET = Duration.ofSeconds(30).toNanos();

  private final Pauses pauses;
  private final IntSupplier room;
  private final LongSupplier pause;
  private final String why;
  private volatile boolean limited;
  private volatile long limitedAt;

  /**
   * Receives that ask for what there is room for.
   *
   * @param room how many messages could start soon, with those that wait here already taken off
   * @param pause how long to wait for more room, in nanoseconds
   * @param why the limit, in words
   */
  public Pacing(Pauses pauses, IntSupplier room, LongSupplier pause, String why) {
    this.pauses = pauses;
    this.room = room;
    this.pause = pause;
    this.why = why;
  }

  /** Receives that no rate limits. */
  public static Pacing none(Pauses pauses) {
    return new Pacing(pauses, () -> Integer.MAX_VALUE, () -> 0, "");
  }

  /**
   * How many messages a receive may ask for now.
   *
   * @param underWay what other receives have asked for
   * @return zero when it has to wait for {@link #pause()}
   */
  int most(int batch, int underWay, long now) {
    long left = (long) room.getAsInt() - underWay;
    if (left <= 0) {
      limitedAt = now;
      limited = true;
    }
    return Math.clamp(left, 0, batch);
  }

  /** How long a receive for which there is no room waits, in nanoseconds. */
  long pause() {
    return pause.getAsLong();
  }

  /** Tells whether the rate is what limits receiving. Part of every heartbeat tick. */
  public void tick(long now) {
    if (limited && now - limitedAt >= QUIET) {
      limited = false;
      pauses.remove(PauseReason.RATE_LIMITED);
    } else if (limited) {
      pauses.add(PauseReason.RATE_LIMITED, why);
    }
  }
}
