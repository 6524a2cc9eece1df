package io.queueworker.testkit.engine;

/** The ranges of the parameters of Amazon SQS, in its own words (docs/queue-facts.md A1, A5). Stateless, so thread-safe. */
public final class RequestRules {

  private RequestRules() {}

  /** {@code MaxNumberOfMessages} of a receive. */
  public static void requireMaxNumberOfMessages(int max) {
    require(max >= 1 && max <= 10, max, "MaxNumberOfMessages", "Must be between 1 and 10, if provided.");
  }

  /** {@code WaitTimeSeconds} of a receive. */
  public static void requireWaitTimeSeconds(int seconds) {
    require(seconds >= 0 && seconds <= 20, seconds, "WaitTimeSeconds", "Must be >= 0 and <= 20, if provided.");
  }

  /** {@code VisibilityTimeout} of a receive. */
  public static void requireVisibilityTimeout(int seconds) {
    if (seconds < 0 || seconds > 43_200) {
      throw visibilityOutOfRange(seconds, 0).refusal();
    }
  }

  /** The refusal of a visibility timeout outside its range. */
  static EngineError visibilityOutOfRange(long seconds, int least) {
    return EngineError.parameter(
        Long.toString(seconds), "VisibilityTimeout", "Must be between " + least + " and 43200, if provided.");
  }

  private static void require(boolean allowed, int given, String parameter, String why) {
    if (!allowed) {
      throw EngineError.parameter(Integer.toString(given), parameter, why).refusal();
    }
  }
}
