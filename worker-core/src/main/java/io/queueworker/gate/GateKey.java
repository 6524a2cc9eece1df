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

  private static final int MAX_SCOPE = 200;

  /**
   * Refuses what would make unrelated messages one: an empty key, and one with half a surrogate pair, which UTF-8 cannot
   * tell from another half.
   */
  public GateKey {
    if (text.isEmpty()) {
      throw new IllegalArgumentException(
          "the idempotency key is empty; the key function must name the effect, for example by an order number");
    }
    if (scope.isEmpty() || scope.length() > MAX_SCOPE) {
      throw new IllegalArgumentException(
          "the gate's scope has " + scope.length() + " characters; allowed are 1 to " + MAX_SCOPE);
    }
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
      throw new IllegalArgumentException(
          "the idempotency key has half a surrogate pair and so is no Unicode text; the key function must return one that"
              + " is");
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
