package io.queueworker.testkit.engine;

/** What a message must have to fit its kind of queue, in the words of Amazon SQS. Stateless, so thread-safe. */
final class SendRules {

  private static final String NOT_FOR_THIS_TYPE =
      "The request include parameter that is not valid for this queue type.";

  private static final int MOST_ATTRIBUTES = 10;
  private static final long LARGEST = 1_048_576;

  private SendRules() {}

  /** Refuses what does not fit. */
  static void require(NewMessage message, boolean fifo, QueueSettings settings) {
    requireSize(message);
    if (!fifo) {
      message.deduplicationId().ifPresent(id -> refuse(id, "MessageDeduplicationId"));
      return;
    }
    message.delay().ifPresent(delay -> refuse(Long.toString(delay.toSeconds()), "DelaySeconds"));
    if (message.group().isEmpty()) {
      throw EngineError.missing("MessageGroupId").refusal();
    }
    if (message.deduplicationId().isEmpty() && !settings.isContentBasedDeduplication()) {
      throw invalid(
          "The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly")
          .refusal();
    }
  }

  private static void requireSize(NewMessage message) {
    int attributes = message.attributes().size();
    if (attributes > MOST_ATTRIBUTES) {
      throw invalid("Number of message attributes [" + attributes + "] exceeds the allowed maximum [10].").refusal();
    }
    if (MessageSize.of(message.body(), message.attributes()) > LARGEST) {
      throw invalid("One or more parameters are invalid. Reason: Message must be shorter than 1048576 bytes.")
          .refusal();
    }
  }

  private static EngineError invalid(String why) {
    return new EngineError(EngineError.Reason.PARAMETER, "InvalidParameterValue", 400, why, true);
  }

  private static void refuse(String given, String parameter) {
    throw EngineError.parameter(given, parameter, NOT_FOR_THIS_TYPE).refusal();
  }
}
