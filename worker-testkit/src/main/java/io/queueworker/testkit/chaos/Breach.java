package io.queueworker.testkit.chaos;

/**
 * A rule that a run broke.
 *
 * @param rule which
 * @param how in a sentence
 */
public record Breach(Rule rule, String how) {
  @Override
  public String toString() {
    return rule + " (" + rule.words() + "): " + how;
  }
}
