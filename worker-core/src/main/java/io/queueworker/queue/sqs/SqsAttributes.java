package io.queueworker.queue.sqs;

import io.queueworker.queue.MessageCounts;
import io.queueworker.queue.QueueAttributes;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** What one GetQueueAttributes asks for and answers. Stateless. */
final class SqsAttributes {

  /** What to ask for. */
  static final List<QueueAttributeName> READ =
      List.of(
          QueueAttributeName.VISIBILITY_TIMEOUT,
          QueueAttributeName.REDRIVE_POLICY,
          QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES,
          QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE,
          QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_DELAYED);

  private SqsAttributes() {}

  /** The answer; empty when it has no visibility timeout in whole seconds. */
  static Optional<QueueAttributes> of(Map<QueueAttributeName, String> found) {
    SqsRedrive redrive = SqsRedrive.of(found.get(QueueAttributeName.REDRIVE_POLICY));
    return number(found, QueueAttributeName.VISIBILITY_TIMEOUT)
        .filter(seconds -> seconds < 1_000_000_000)
        .map(
            seconds -> new QueueAttributes(
                Duration.ofSeconds(seconds), redrive.maxReceiveCount(), redrive.deadLetterQueue(), counts(found)));
  }

  /** The counts, if all three are there. */
  private static Optional<MessageCounts> counts(Map<QueueAttributeName, String> found) {
    Optional<Long> visible = number(found, QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES);
    Optional<Long> notVisible = number(found, QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE);
    Optional<Long> delayed = number(found, QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_DELAYED);
    return visible.flatMap(v -> notVisible.flatMap(n -> delayed.map(d -> new MessageCounts(v, n, d))));
  }

  private static Optional<Long> number(Map<QueueAttributeName, String> found, QueueAttributeName name) {
    String value = found.get(name);
    return value != null && value.matches("\\d{1,18}") ? Optional.of(Long.valueOf(value)) : Optional.empty();
  }
}
