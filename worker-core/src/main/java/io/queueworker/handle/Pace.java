package io.queueworker.handle;

import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.queueworker.observe.WorkerEvent;
import io.queueworker.observe.WorkerEvent.UserCodeFailed;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * The rate at which handlers may start, by a limiter of the user's, and how many messages it leaves room for. Thread-safe.
 */
public final class Pace {

  /** Messages that a handler can start on within this time are received ahead: else each receive would bring few. */
  private static final long AHEAD = Duration.ofSeconds(1).toNanos();

  private static final long SHORTEST_PAUSE = Duration.ofMillis(10).toNanos();
  private static final long LONGEST_PAUSE = Duration.ofMillis(250).toNanos();

  private final RateLimiter limiter;
  private final Consumer<WorkerEvent> events;

  /** The pace that {@code limiter} gives, which may be shared with others. */
  public Pace(RateLimiter limiter, Consumer<WorkerEvent> events) {
    this.limiter = limiter;
    this.events = events;
  }

  /** Takes one permission; gives the nanoseconds until it counts, negative when the limiter's timeout is shorter than that. */
  long take() {
    try {
      return limiter.reservePermission();
    } catch (Throwable t) {
      // A listener of the user's: the permission was taken before it heard of it.
      events.accept(new UserCodeFailed("the rate limiter; the handler starts without waiting", t));
      return 0;
    }
  }

  /** Tells the limiter that a handler did its work. */
  void succeeded() {
    tell(limiter::onSuccess);
  }

  /** Tells the limiter why a handler failed, which may take all its permissions for the moment. */
  void failed(Throwable cause) {
    tell(() -> limiter.onError(cause));
  }

  private void tell(Runnable outcome) {
    try {
      outcome.run();
    } catch (Throwable t) {
      events.accept(new UserCodeFailed("the rate limiter, when it heard of an outcome", t));
    }
  }

  /** How many messages more a receive may bring, none of which would wait for long; zero or less for none. */
  public int room() {
    RateLimiterConfig config = limiter.getRateLimiterConfig();
    long ahead = Math.min(AHEAD, config.getTimeoutDuration().toNanos());
    long soon = ahead / Math.max(1, config.getLimitRefreshPeriod().toNanos()) * config.getLimitForPeriod();
    long available = limiter.getMetrics().getAvailablePermissions();
    return Math.clamp(available + Math.min(Integer.MAX_VALUE, soon), Integer.MIN_VALUE, Integer.MAX_VALUE);
  }

  /** How long to wait before {@link #room()} can have grown, in nanoseconds. */
  public long pause() {
    long period = limiter.getRateLimiterConfig().getLimitRefreshPeriod().toNanos();
    return Math.clamp(period / 10, SHORTEST_PAUSE, LONGEST_PAUSE);
  }

  /** The limiter and its rate, in words. */
  public String words() {
    RateLimiterConfig config = limiter.getRateLimiterConfig();
    return "rate limiter " + limiter.getName() + ": " + config.getLimitForPeriod() + " per "
        + config.getLimitRefreshPeriod();
  }
}
