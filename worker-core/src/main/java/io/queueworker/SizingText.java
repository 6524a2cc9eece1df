package io.queueworker;

import static io.queueworker.timing.PlainDuration.text;

import io.queueworker.SizingAdvice.Advice;
import io.queueworker.SizingAdvice.Extensions;
import io.queueworker.SizingAdvice.Verdict;
import io.queueworker.observe.Durations;
import io.queueworker.observe.Estimate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Sizing advice as lines for a person. Stateless. */
final class SizingText {

  private SizingText() {}

  /** Four to six lines. */
  static String of(SizingAdvice sizing) {
    List<String> lines = new ArrayList<>();
    Durations measured = sizing.measured();
    lines.add(counts(measured));
    if (measured.samples() > 0) {
      lines.add(percentiles(measured));
    }
    if (sizing.advice().isEmpty()) {
      lines.add(
          String.format(
              Locale.ROOT,
              "Advice needs %,d samples, of which runs that did not finish are a part at most; there are %,d.",
              SizingAdvice.ENOUGH_SAMPLES,
              measured.samples()));
    }
    lines.add(verdict(sizing));
    sizing.advice().ifPresent(advice -> lines.addAll(advice(advice)));
    return String.join("\n", lines);
  }

  private static String counts(Durations measured) {
    return String.format(
        Locale.ROOT,
        "%,d runs committed in the last hour; %,d were cut off, %,d still run, %,d failed, %,d were suppressed.",
        measured.count(),
        measured.cutOff(),
        measured.running(),
        measured.failed(),
        measured.suppressed());
  }

  private static String percentiles(Durations measured) {
    return String.format(
        Locale.ROOT,
        "From lease start to commit: p50 %s, p90 %s, p99 %s%s, p99.9 %s, max %s.",
        measured.p50(),
        measured.p90(),
        measured.p99(),
        measured.p99Bound().map(SizingText::bound).orElse(""),
        measured.p999(),
        measured.max());
  }

  private static String bound(Estimate bound) {
    return bound.atLeast()
        ? " (no upper bound: too many of the slowest did not finish)"
        : " (with 95 % confidence at most " + bound + ")";
  }

  private static String verdict(SizingAdvice sizing) {
    return "Today's visibility timeout of " + text(sizing.visibility()) + (sizing.heartbeat() ? " with" : " without")
        + " the heartbeat " + words(sizing.verdict()) + ".";
  }

  private static String words(Verdict verdict) {
    return switch (verdict) {
      case TOO_FEW_SAMPLES -> "cannot be judged yet";
      case TOO_SHORT -> "is too short: messages can come back while they are being handled";
      case FITS -> "fits";
      case UNDECIDED -> "is enough for the runs that finished; what the slowest need is not known, since they did not";
      case TOO_LONG -> "is too long: after a crash, messages stay hidden for all of it";
    };
  }

  private static List<String> advice(Advice advice) {
    return List.of(
        "Advice without extensions: visibility timeout " + advice.visibilityWithoutExtensions() + ".",
        "Advice with the heartbeat: visibility timeout " + text(advice.visibilityWithHeartbeat()) + "; "
            + cost(advice.extensions()),
        "Advice for both: maxProcessingTime " + advice.maxProcessingTime() + ", drainTimeout "
            + advice.drainTimeout() + ".");
  }

  private static String cost(Extensions cost) {
    if (cost.extensions() == 0) {
      return "no message in 1,000 needs an extension" + (cost.atLeast() ? ", of those that finished." : ".");
    }
    return String.format(
        Locale.ROOT,
        "%s%,d of 1,000 messages need extensions, %,d all together: %,d to %,d requests more per 1,000 messages.",
        cost.atLeast() ? "at least " : "",
        cost.messages(),
        cost.extensions(),
        cost.fewestRequests(),
        cost.extensions());
  }
}
