package io.queueworker.testkit.engine;

import io.queueworker.queue.MessageAttribute;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;

/** How many bytes a message counts: its body and its attributes with their names and types (docs/queue-facts.md A5). Stateless. */
public final class MessageSize {

  private MessageSize() {}

  /** The size of a message with this content. */
  public static long of(String body, Map<String, MessageAttribute> attributes) {
    long bytes = utf8(body);
    for (Map.Entry<String, MessageAttribute> entry : attributes.entrySet()) {
      MessageAttribute attribute = entry.getValue();
      bytes += utf8(entry.getKey()) + utf8(attribute.type());
      bytes +=
          attribute.isBinary() ? Base64.getDecoder().decode(attribute.value()).length : utf8(attribute.value());
    }
    return bytes;
  }

  private static long utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
