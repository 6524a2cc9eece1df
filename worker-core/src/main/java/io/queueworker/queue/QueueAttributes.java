package io.queueworker.queue;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The queue's own settings, as far as a worker depends on them, and what the same call tells of its messages.
 *
 * @param visibility the queue's visibility timeout
 * @param maxReceiveCount after how many receives the service moves a message to the dead-letter queue; empty when the
 *     queue has no redrive policy
 * @param deadLetterQueue the name of the dead-letter queue; empty when the queue has no redrive policy
 * @param counts how many messages it has; empty when the service does not say
 */
public record QueueAttributes(
    Duration visibility,
    OptionalInt maxReceiveCount,
    Optional<String> deadLetterQueue,
    Optional<MessageCounts> counts) {

  /** Settings without counts. */
  public QueueAttributes(Duration visibility, OptionalInt maxReceiveCount, Optional<String> deadLetterQueue) {
    this(visibility, maxReceiveCount, deadLetterQueue, Optional.empty());
  }
}
