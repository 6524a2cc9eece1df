package io.queueworker.testkit.engine;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a FIFO queue remembers of its sends for five minutes, whatever became of the messages (docs/queue-facts.md A3). Not thread-safe:
 * belongs to its engine.
 */
final class Deduplication {

  private static final long INTERVAL = Duration.ofMinutes(5).toNanos();

  private final Map<String, Sent> sent = new HashMap<>();

  /** A send and its moment. */
  private record Sent(SentMessage message, long at) {}

  /** The send that this one repeats; null when it is the first within five minutes. */
  @Nullable
  SentMessage earlier(String key, long now) {
    Sent known = sent.get(key);
    return known == null || now - known.at() >= INTERVAL ? null : known.message();
  }

  /** Remembers a send. */
  void add(String key, SentMessage message, long now) {
    sent.put(key, new Sent(message, now));
  }

  /** Forgets every send. */
  void clear() {
    sent.clear();
  }

  /** The deduplication id that stands for a body. */
  static String ofContent(String body) {
    try {
      MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(sha256.digest(body.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java platform has SHA-256", impossible);
    }
  }
}
