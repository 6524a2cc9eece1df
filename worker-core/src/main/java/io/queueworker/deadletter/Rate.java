package io.queueworker.deadletter;

import io.github.resilience4j.ratelimiter.RateLimiter;
import io.queueworker.timing.Timing;

/** How fast messages go back. Belongs to one thread. */
interface Rate {

  /** As fast as the calls go. */
  Rate UNLIMITED = () -> 0;

  /** Takes one permission; gives the nanoseconds until it counts, negative when none was given and to be asked for again. */
  long take();

  /** Gives the rate of one run. */
  interface Source {
    Rate start(Timing timing);
  }

  /** So many a second, evenly. */
  static Rate perSecond(Timing timing, double messages) {
    long interval = (long) (1_000_000_000L / messages);
    long[] next = {timing.nanoTime()};
    return () -> {
      long now = timing.nanoTime();
      long slot = next[0] - now > 0 ? next[0] : now;
      next[0] = slot + interval;
      return slot - now;
    };
  }

  /** As the limiter says. */
  static Rate of(RateLimiter limiter) {
    return limiter::reservePermission;
  }
}
