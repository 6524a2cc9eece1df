package io.queueworker;

import io.queueworker.observe.Durations;
import io.queueworker.timing.PlainDuration;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * What the durations of the last hour say about the timeouts. Nothing is ever changed by it.
 *
 * <p>Only messages that were committed count. A handler that failed, was interrupted or still runs is not among them, so a
 * worker whose slowest handlers never finish looks faster than it is.
 *
 * <p>Immutable.
 *
 * @param measured the durations from lease start to commit
 * @param visibility today's visibility timeout
 * @param heartbeat whether leases are extended today
 * @param verdict what to think of today's visibility timeout
 * @param advice timeouts that fit; empty below {@value #ENOUGH_SAMPLES} samples
 */
public record SizingAdvice(
    Durations measured, Duration visibility, boolean heartbeat, Verdict verdict, Optional<Advice> advice) {

  /** With fewer samples the largest one does not bound the p99 with 95 % confidence: 0.99^299 is just below 0.05. */
  public static final int ENOUGH_SAMPLES = 299;

  /** What a delete may take at most: the default timeout of one such call. */
  private static final Duration DELETE_TIME = Duration.ofSeconds(3);

  /** SQS's longest visibility timeout. Source: Amazon SQS Developer Guide, "Amazon SQS visibility timeout". */
  private static final Duration LONGEST_VISIBILITY = Duration.ofHours(12);

  /** Below this, half a visibility timeout has no room for repeating an extension that failed. */
  private static final Duration SHORTEST_WITH_BEATS = Duration.ofSeconds(10);

  private static final Duration SHORTEST_ADVISED_WITH_BEATS = Duration.ofSeconds(30);
  private static final Duration LONGEST_ADVISED_WITH_BEATS = Duration.ofMinutes(2);
  private static final Duration SHORTEST_PROCESSING = Duration.ofMinutes(1);
  private static final Duration LONGEST_PROCESSING = Duration.ofHours(11).plusMinutes(50);

  /** A visibility timeout up to this is never called too long: there is little to gain. */
  private static final Duration NEVER_TOO_LONG = Duration.ofMinutes(1);

  /** What to think of today's visibility timeout. */
  public enum Verdict {
    /** Fewer than {@value SizingAdvice#ENOUGH_SAMPLES} messages in the last hour: nothing can be said. */
    TOO_FEW_SAMPLES,
    /** Messages will come back while they are being handled; with the heartbeat, after a single failed extension. */
    TOO_SHORT,
    /** Leave it. */
    FITS,
    /** After a crash its messages stay hidden for longer than they need to. */
    TOO_LONG
  }

  /**
   * Timeouts that fit what was measured, in whole seconds.
   *
   * @param visibilityWithoutExtensions the visibility timeout for a worker without heartbeat: 1.5 × p99 plus 3 s for the
   *     delete, at most 12 h
   * @param visibilityWithHeartbeat the visibility timeout for a worker with heartbeat: 2 × p50, so that half of the
   *     messages need no extension, but at least 30 s, for several tries of each extension, and at most 2 min, for a fast
   *     recovery after a crash
   * @param maxProcessingTime 2 × the longest, at least 1 min and at most 11 h 50 min, which is below the default of
   *     {@code maxHold}
   */
  public record Advice(
      Duration visibilityWithoutExtensions, Duration visibilityWithHeartbeat, Duration maxProcessingTime) {}

  /**
   * Judges a visibility timeout by what was measured.
   *
   * @param measured the durations from lease start to commit
   * @param visibility today's visibility timeout
   * @param heartbeat whether leases are extended today
   */
  public static SizingAdvice of(Durations measured, Duration visibility, boolean heartbeat) {
    if (measured.count() < ENOUGH_SAMPLES) {
      return new SizingAdvice(measured, visibility, heartbeat, Verdict.TOO_FEW_SAMPLES, Optional.empty());
    }
    Duration without = wholeSeconds(measured.p99().multipliedBy(3).dividedBy(2).plus(DELETE_TIME));
    Duration with = wholeSeconds(measured.p50().multipliedBy(2));
    Duration processing = wholeSeconds(measured.max().multipliedBy(2));
    Advice advice =
        new Advice(
            shorter(without, LONGEST_VISIBILITY),
            between(SHORTEST_ADVISED_WITH_BEATS, with, LONGEST_ADVISED_WITH_BEATS),
            between(SHORTEST_PROCESSING, processing, LONGEST_PROCESSING));
    return new SizingAdvice(measured, visibility, heartbeat, judge(advice, visibility, heartbeat), Optional.of(advice));
  }

  private static Verdict judge(Advice advice, Duration visibility, boolean heartbeat) {
    Duration advised = heartbeat ? advice.visibilityWithHeartbeat() : advice.visibilityWithoutExtensions();
    Duration least = heartbeat ? SHORTEST_WITH_BEATS : advised;
    Duration most = longer(NEVER_TOO_LONG, advised.multipliedBy(4));
    if (visibility.compareTo(least) < 0) {
      return Verdict.TOO_SHORT;
    }
    return visibility.compareTo(most) > 0 ? Verdict.TOO_LONG : Verdict.FITS;
  }

  /** Messages committed in the last hour. */
  public long count() {
    return measured.count();
  }

  /** Half of the messages took at most this long. */
  public Duration p50() {
    return measured.p50();
  }

  /** Nine in ten messages took at most this long. */
  public Duration p90() {
    return measured.p90();
  }

  /** 99 in a hundred messages took at most this long. */
  public Duration p99() {
    return measured.p99();
  }

  /** 999 in a thousand messages took at most this long. */
  public Duration p999() {
    return measured.p999();
  }

  /** The longest that a message took. */
  public Duration max() {
    return measured.max();
  }

  /** Everything here as a few lines for a person. */
  public String text() {
    String today = String.format(
        Locale.ROOT,
        "Today's visibility timeout of %s %s the heartbeat ",
        PlainDuration.text(visibility),
        heartbeat ? "with" : "without");
    if (advice.isEmpty()) {
      return String.format(
          Locale.ROOT,
          "%,d messages committed in the last hour, at least %d are needed.\n%s%s.",
          count(),
          ENOUGH_SAMPLES,
          today,
          words(verdict));
    }
    Advice fitting = advice.get();
    return String.format(
        Locale.ROOT,
        """
            %,d messages in the last hour took p50 %s, p90 %s, p99 %s, p99.9 %s, max %s.
            %s%s.
            Advice with the heartbeat: visibility timeout %s. Without extensions: %s. maxProcessingTime: %s.""",
        count(),
        PlainDuration.text(p50()),
        PlainDuration.text(p90()),
        PlainDuration.text(p99()),
        PlainDuration.text(p999()),
        PlainDuration.text(max()),
        today,
        words(verdict),
        PlainDuration.text(fitting.visibilityWithHeartbeat()),
        PlainDuration.text(fitting.visibilityWithoutExtensions()),
        PlainDuration.text(fitting.maxProcessingTime()));
  }

  /** The same as {@link #text()}. */
  @Override
  public String toString() {
    return text();
  }

  private static String words(Verdict verdict) {
    return switch (verdict) {
      case TOO_FEW_SAMPLES -> "cannot be judged yet";
      case TOO_SHORT -> "is too short: messages can come back while they are being handled";
      case FITS -> "fits";
      case TOO_LONG -> "is too long: after a crash, messages stay hidden for all of it";
    };
  }

  private static Duration wholeSeconds(Duration duration) {
    return Duration.ofSeconds(duration.plusNanos(999_999_999).toSeconds());
  }

  private static Duration between(Duration least, Duration value, Duration most) {
    return shorter(longer(least, value), most);
  }

  private static Duration shorter(Duration a, Duration b) {
    return a.compareTo(b) <= 0 ? a : b;
  }

  private static Duration longer(Duration a, Duration b) {
    return a.compareTo(b) >= 0 ? a : b;
  }
}
