package io.queueworker.examples.chaos;

/**
 * A worker's word that it took a step. Immutable.
 *
 * @param worker whose
 * @param step which
 * @param messageId of the message that it is about; "-" for none
 * @param number what the step says it is, else 0
 * @param atNanos when the parent read it, by the parent's monotonic clock
 */
record Report(String worker, Step step, String messageId, long number, long atNanos) {

  /** The line for it. */
  static String line(Step step, String messageId, long number) {
    return step.name() + " " + messageId + " " + number;
  }

  /** Reads a line that {@link #line} wrote. */
  static Report parse(String worker, String line, long atNanos) {
    String[] words = line.split(" ", -1);
    if (words.length != 3) {
      throw new IllegalArgumentException(worker + " printed \"" + line + "\", which is no report");
    }
    return new Report(worker, Step.valueOf(words[0]), words[1], Long.parseLong(words[2]), atNanos);
  }
}
