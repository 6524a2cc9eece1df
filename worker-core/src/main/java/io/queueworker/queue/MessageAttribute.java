package io.queueworker.queue;

/**
 * An attribute that a sender gives to a message. Immutable, so thread-safe.
 *
 * @param type as the service names it: {@code String}, {@code Number} or {@code Binary}, possibly with a label of the
 *     sender's after a dot, such as {@code Number.int}
 * @param value the text; Base64 when it is binary
 */
public record MessageAttribute(String type, String value) {

  /** The type of an attribute that is plain text. */
  public static final String TEXT = "String";

  /** An attribute that is plain text. */
  public static MessageAttribute text(String value) {
    return new MessageAttribute(TEXT, value);
  }

  /** Whether the value stands for bytes, as Base64. */
  public boolean isBinary() {
    return type.startsWith("Binary");
  }

  /** Names the type without the value. */
  @Override
  public String toString() {
    return "MessageAttribute[" + type + "]";
  }
}
