package io.queueworker.testkit.chaos;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A run that broke a rule. Its message names the seed, the rules, the disturbances that are left when all that do not matter
 * have been dropped, and the end of the trail of what is concerned.
 */
public final class ChaosFailure extends AssertionError {

  private static final long serialVersionUID = 1L;
  private static final int BREACHES = 3;
  private static final int LINES = 60;
  private static final int MESSAGES = 2;
  private static final int WIDTH = 300;

  private final long seed;

  ChaosFailure(Verdict shrunk) {
    super(text(shrunk));
    this.seed = shrunk.plan().seed();
  }

  /** The seed that brings the failure again. */
  public long seed() {
    return seed;
  }

  private static String text(Verdict verdict) {
    // One message's way is read more easily than several at once.
    List<String> about =
        verdict.breaches().stream()
            .map(breach -> Pattern.compile("queue-\\d+-\\d+").matcher(breach.how()))
            .map(found -> found.results().map(MatchResult::group).distinct().limit(MESSAGES).toList())
            .filter(ids -> !ids.isEmpty())
            .findFirst()
            .orElse(List.of());
    int more = verdict.breaches().size() - BREACHES;
    return verdict.breaches().stream().limit(BREACHES).map(b -> cut("broken: " + b)).collect(Collectors.joining("\n"))
        + (more > 0 ? "\nand " + more + " more" : "")
        + "\nin " + verdict.plan() + "\n  (what does not matter is dropped; -Dchaos.from=" + verdict.plan().seed()
        + " -Dchaos.seeds=1 runs it again)\n"
        + verdict.journal().about(about, LINES).stream().map(ChaosFailure::cut).collect(Collectors.joining("\n"));
  }

  private static String cut(String line) {
    return line.length() > WIDTH ? line.substring(0, WIDTH) + " ..." : line;
  }
}
