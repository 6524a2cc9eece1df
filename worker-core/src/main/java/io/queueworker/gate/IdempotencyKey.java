package io.queueworker.gate;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.UUID;

/** How a {@link Fenced#idempotencyKey()} follows from scope and key. It must never change: outside systems remember it. Stateless. */
final class IdempotencyKey {
  private static final long VERSION_8 = 0x8000L;
  private static final long VARIANT = 0x8000_0000_0000_0000L;

  private IdempotencyKey() {}

  /** A UUID of version 8 over the SHA-256 of scope and text. The scope's length tells where it ends. */
  static String of(GateKey key) {
    byte[] scope = key.scope().getBytes(StandardCharsets.UTF_8);
    byte[] text = key.text().getBytes(StandardCharsets.UTF_8);
    ByteBuffer hash =
        ByteBuffer.wrap(
            sha256(
                ByteBuffer.allocate(Integer.BYTES + scope.length + text.length)
                    .putInt(scope.length)
                    .put(scope)
                    .put(text)
                    .array()));
    long most = (hash.getLong() & ~0xF000L) | VERSION_8;
    long least = (hash.getLong() & ~(0x3L << 62)) | VARIANT;
    return new UUID(most, least).toString();
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java has no SHA-256, which every Java platform must have", e);
    }
  }
}
