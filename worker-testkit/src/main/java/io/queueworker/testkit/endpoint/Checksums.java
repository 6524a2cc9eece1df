package io.queueworker.testkit.endpoint;

import io.queueworker.queue.MessageAttribute;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/** The MD5 sums that SQS answers and the SDK checks. Stateless, so thread-safe. */
final class Checksums {

  private static final byte STRING = 1;
  private static final byte BINARY = 2;

  private Checksums() {}

  /** Of a text's UTF-8. */
  static String of(String text) {
    return hex(md5().digest(utf8(text)));
  }

  /**
   * Of a sender's attributes: by name, each one's name, type, one byte for the kind of its value, and value, with the
   * length in four bytes before each.
   */
  static String of(Map<String, MessageAttribute> attributes) {
    MessageDigest digest = md5();
    new TreeMap<>(attributes)
        .forEach(
            (name, attribute) -> {
              withLength(digest, utf8(name));
              withLength(digest, utf8(attribute.type()));
              digest.update(attribute.isBinary() ? BINARY : STRING);
              withLength(digest, value(attribute));
            });
    return hex(digest.digest());
  }

  /** The bytes of an attribute's value. */
  static byte[] value(MessageAttribute attribute) {
    return attribute.isBinary() ? Base64.getDecoder().decode(attribute.value()) : utf8(attribute.value());
  }

  static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static void withLength(MessageDigest digest, byte[] bytes) {
    digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
    digest.update(bytes);
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  private static MessageDigest md5() {
    try {
      return MessageDigest.getInstance("MD5");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
