package io.queueworker.gate;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The name of one effect: a scope, so that two queues that share a store never suppress each other's messages, and a text
 * that is unique in it.
 *
 * @param scope the queue's name unless set, 1 to 200 characters
 * @param text the user's key, not empty, of any length
 */
public record GateKey(String scope, String text) {

  /** Refuses an empty key, which would make unrelated messages one. */
  public GateKey {
    if (text.isEmpty()) {
      throw new IllegalArgumentException(
          "the idempotency key is empty; the key function must name the effect, for example by an order number");
    }
  }

  /**
   * SHA-256 of the text in UTF-8: what stores compare, since their collations make "A" equal to "a" and their padding makes
   * "x" equal to "x ".
   */
  public byte[] hash() {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java has no SHA-256, which every Java platform must have", e);
    }
  }
}
