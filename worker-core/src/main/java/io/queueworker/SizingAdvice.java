package io.queueworker;

import io.queueworker.observe.Durations;
import io.queueworker.observe.Estimate;
import java.time.Duration;
import java.util.Optional;

/**
 * What the durations of the last hour say about the timeouts. Nothing is ever changed by it. {@code docs/sizing.md}
 * explains the figures.
 *
 * <p>Immutable and thread-safe.
 *
 * @param measured how long runs took from lease start to commit, unfinished ones included
 * @param visibility today's visibility timeout
 * @param heartbeat whether leases are extended today
 * @param verdict what to think of today's visibility timeout
 * @param advice timeouts that fit; empty below {@value #ENOUGH_SAMPLES} samples
 */
public record SizingAdvice(
    Durations measured, Duration visibility, boolean heartbeat, Verdict verdict, Optional<Advice> advice) {

  /** With fewer samples not even the largest one bounds the p99 with 95 % confidence. */
  public static final int ENOUGH_SAMPLES = Durations.ENOUGH_SAMPLES;

  /** What a delete may take as long as none was measured: the default timeout of one such call. */
  private static final Duration DELETE_TIME = Duration.ofSeconds(3);

  /** SQS's longest visibility timeout. Source: Amazon SQS Developer Guide, "Amazon SQS visibility timeout". */
  private static final Duration LONGEST_VISIBILITY = Duration.ofHours(12);

  /** Below this, half a visibility timeout has no room for repeating an extension that failed. */
  private static final Duration SHORTEST_WITH_BEATS = Duration.ofSeconds(10);

  private static final Duration SHORTEST_ADVISED_WITH_BEATS = Duration.ofSeconds(30);
  private static final Duration LONGEST_ADVISED_WITH_BEATS = Duration.ofMinutes(2);
  private static final Duration SHORTEST_PROCESSING = Duration.ofMinutes(1);
  private static final Duration LONGEST_PROCESSING = Duration.ofHours(11).plusMinutes(50);
  private static final Duration SHORTEST_DRAIN = Duration.ofSeconds(25);

  /** A close interrupts handlers this long before its budget ends, if the budget is {@link #SHORTEST_DRAIN} or more. */
  private static final Duration DRAIN_RESERVE = Duration.ofSeconds(5);

  /** A visibility timeout up to this is never called too long: there is little to gain. */
  private static final Duration NEVER_TOO_LONG = Duration.ofMinutes(1);

  /** What to think of today's visibility timeout. */
  public enum Verdict {
    /** Fewer than {@value SizingAdvice#ENOUGH_SAMPLES} samples in the last hour: nothing can be said. */
    TOO_FEW_SAMPLES,
    /** Messages will come back while they are being handled; with the heartbeat, after a single failed extension. */
    TOO_SHORT,
    /** Leave it. */
    FITS,
    /** It suffices for the runs that finished, but the slowest did not, and so nobody knows what they need. */
    UNDECIDED,
    /** After a crash its messages stay hidden for longer than they need to. */
    TOO_LONG
  }

  /**
   * Timeouts that fit what was measured, in whole seconds. One that is "at least" rests on runs that did not finish.
   *
   * @param visibilityWithoutExtensions the visibility timeout for a worker without heartbeat: 1.5 × the upper bound on the
   *     p99, plus what a delete takes (3 s as long as none was measured), at most 12 h
   * @param visibilityWithHeartbeat the visibility timeout for a worker with heartbeat: 2 × p50, so that half of the
   *     messages need no extension, but at least 30 s, for several tries of each extension, and at most 2 min, for a fast
   *     recovery after a crash. The p99 has no part in it
   * @param extensions what the heartbeat then costs
   * @param maxProcessingTime 2 × the longest, at least 1 min and at most 11 h 50 min, which is below the default of
   *     {@code maxHold}
   * @param drainTimeout how long a close may take so that 99 in 100 of the messages it finds can finish and be deleted:
   *     the upper bound on the p99 plus what a delete takes, plus 5 s for what a close does at its end; at least 25 s
   */
  public record Advice(
      Estimate visibilityWithoutExtensions,
      Duration visibilityWithHeartbeat,
      Extensions extensions,
      Estimate maxProcessingTime,
      Estimate drainTimeout) {}

  /**
   * What the heartbeat costs at the advised visibility timeout, for 1,000 messages. It extends at each half of the
   * visibility timeout, up to ten messages with one request.
   *
   * @param messages how many of them outlast the first half, and so are extended at all
   * @param extensions how often they are extended, all together; with no two in one batch, that many requests
   * @param fewestRequests the requests for it when every batch is full
   * @param atLeast whether it may be more, since the longest runs did not finish
   */
  public record Extensions(long messages, long extensions, long fewestRequests, boolean atLeast) {

    private static Extensions of(Durations measured, Duration visibility) {
      Duration interval = visibility.dividedBy(2);
      long extended = inThousand(measured.shareLongerThan(interval));
      long extensions = inThousand(measured.meanExtensions(interval));
      return new Extensions(
          extended,
          extensions,
          Math.ceilDiv(extensions, 10),
          measured.max().atLeast());
    }

    private static long inThousand(double each) {
      return (long) Math.ceil(each * 1000 - 1e-6);
    }
  }

  /**
   * Judges a visibility timeout by what was measured.
   *
   * @param measured the durations from lease start to commit
   * @param visibility today's visibility timeout
   * @param heartbeat whether leases are extended today
   */
  public static SizingAdvice of(Durations measured, Duration visibility, boolean heartbeat) {
    Optional<Advice> advice = measured.p99Bound().map(bound -> advice(measured, bound));
    Verdict verdict = advice.map(fitting -> judge(fitting, visibility, heartbeat)).orElse(Verdict.TOO_FEW_SAMPLES);
    return new SizingAdvice(measured, visibility, heartbeat, verdict, advice);
  }

  private static Advice advice(Durations measured, Estimate bound) {
    Duration delete = measured.delete().orElse(DELETE_TIME);
    Duration without = wholeSeconds(bound.value().multipliedBy(3).dividedBy(2).plus(delete));
    Duration with =
        between(
            SHORTEST_ADVISED_WITH_BEATS,
            wholeSeconds(measured.p50().value().multipliedBy(2)),
            LONGEST_ADVISED_WITH_BEATS);
    Estimate longest = measured.max();
    Duration processing =
        between(SHORTEST_PROCESSING, wholeSeconds(longest.value().multipliedBy(2)), LONGEST_PROCESSING);
    Duration drain = longer(SHORTEST_DRAIN, wholeSeconds(bound.value().plus(delete).plus(DRAIN_RESERVE)));
    return new Advice(
        new Estimate(shorter(without, LONGEST_VISIBILITY), bound.atLeast()),
        with,
        Extensions.of(measured, with),
        new Estimate(processing, longest.atLeast()),
        new Estimate(drain, bound.atLeast()));
  }

  private static Verdict judge(Advice advice, Duration visibility, boolean heartbeat) {
    Estimate without = advice.visibilityWithoutExtensions();
    Duration advised = heartbeat ? advice.visibilityWithHeartbeat() : without.value();
    Duration least = heartbeat ? SHORTEST_WITH_BEATS : advised;
    Duration most = longer(NEVER_TOO_LONG, advised.multipliedBy(4));
    if (visibility.compareTo(least) < 0) {
      return Verdict.TOO_SHORT;
    }
    if (!heartbeat && without.atLeast()) {
      return Verdict.UNDECIDED;
    }
    return visibility.compareTo(most) > 0 ? Verdict.TOO_LONG : Verdict.FITS;
  }

  /** Runs that committed in the last hour. */
  public long count() {
    return measured.count();
  }

  /** Half of the runs take at most this long. */
  public Estimate p50() {
    return measured.p50();
  }

  /** Nine in ten runs take at most this long. */
  public Estimate p90() {
    return measured.p90();
  }

  /** 99 in a hundred runs take at most this long. */
  public Estimate p99() {
    return measured.p99();
  }

  /** 999 in a thousand runs take at most this long. */
  public Estimate p999() {
    return measured.p999();
  }

  /** The longest that a run takes. */
  public Estimate max() {
    return measured.max();
  }

  /** Everything here as a few lines for a person. */
  public String text() {
    return SizingText.of(this);
  }

  /** Everything here as one line of JSON for a machine; {@code docs/sizing.md} lists its fields. */
  public String json() {
    return SizingJson.of(this);
  }

  /** The same as {@link #text()}. */
  @Override
  public String toString() {
    return text();
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
