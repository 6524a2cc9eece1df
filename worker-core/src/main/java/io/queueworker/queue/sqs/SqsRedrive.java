package io.queueworker.queue.sqs;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The redrive policy of a queue, read from its JSON. Patterns spare the library a JSON parser, and the SDK's own is not
 * public. A policy that the service would write otherwise counts as none. Immutable, so thread-safe.
 *
 * @param maxReceiveCount after how many receives a message is moved
 * @param deadLetterQueue the name of the queue that it is moved to: the last part of its ARN. Account and Region are those of
 *     the source, which is a rule of the service (docs/queue-facts.md A6)
 */
record SqsRedrive(OptionalInt maxReceiveCount, Optional<String> deadLetterQueue) {

  private static final Pattern MAX_RECEIVE_COUNT = Pattern.compile("\"maxReceiveCount\"\\s*:\\s*\"?(\\d{1,9})\\b");
  private static final Pattern TARGET =
      Pattern.compile("\"deadLetterTargetArn\"\\s*:\\s*\"[^\"]*:([A-Za-z0-9_-]{1,80}(?:\\.fifo)?)\"");

  /** The policy in the attribute {@code RedrivePolicy}; empty when there is none. */
  static SqsRedrive of(@Nullable String policy) {
    String json = policy == null ? "" : policy;
    Matcher count = MAX_RECEIVE_COUNT.matcher(json);
    Matcher target = TARGET.matcher(json);
    return new SqsRedrive(
        count.find() ? OptionalInt.of(Integer.parseInt(count.group(1))) : OptionalInt.empty(),
        target.find() ? Optional.of(target.group(1)) : Optional.empty());
  }
}
