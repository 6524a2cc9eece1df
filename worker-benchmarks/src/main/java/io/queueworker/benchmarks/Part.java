package io.queueworker.benchmarks;

import java.util.List;

/**
 * One table of a scenario: who goes through what, and what is measured.
 *
 * @param title says what it shows
 * @param plan what each contender goes through
 * @param contenders their names, as {@link Contenders} knows them
 * @param reference what the names of those begin with to whose best the others are compared in each round
 * @param figures what is told of each
 * @param atOnce whether all contenders of a round run beside each other, as those do that only wait
 */
record Part(
    String title,
    Plan plan,
    List<String> contenders,
    String reference,
    List<Figure> figures,
    boolean atOnce) {

  /** The same with what the user chose. */
  Part with(Options options) {
    List<String> chosen = options.contenders().isEmpty() ? contenders : options.contenders();
    return new Part(title, plan.with(options), chosen, reference, figures, atOnce);
  }
}
