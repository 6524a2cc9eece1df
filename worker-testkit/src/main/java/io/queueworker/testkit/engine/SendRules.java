package io.queueworker.testkit.engine;

/** What a message must have to fit its kind of queue, in the words of Amazon SQS. Stateless, so thread-safe. */
final class SendRules {

  private static final String NOT_FOR_THIS_TYPE =
      "The request include parameter that is not valid for this queue type.";

  private SendRules() {}

  /** Refuses what does not fit. */
  static void require(NewMessage message, boolean fifo, QueueSettings settings) {
    if (!fifo) {
      message.deduplicationId().ifPresent(id -> refuse(id, "MessageDeduplicationId"));
      return;
    }
    message.delay().ifPresent(delay -> refuse(Long.toString(delay.toSeconds()), "DelaySeconds"));
    if (message.group().isEmpty()) {
      throw EngineError.missing("MessageGroupId").refusal();
    }
    if (message.deduplicationId().isEmpty() && !settings.isContentBasedDeduplication()) {
      throw new EngineError(
          EngineError.Reason.PARAMETER,
          "InvalidParameterValue",
          400,
          "The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly",
          true)
          .refusal();
    }
  }

  private static void refuse(String given, String parameter) {
    throw EngineError.parameter(given, parameter, NOT_FOR_THIS_TYPE).refusal();
  }
}
