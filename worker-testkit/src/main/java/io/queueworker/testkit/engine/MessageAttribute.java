package io.queueworker.testkit.engine;

/**
 * A sender's attribute of a message. Immutable.
 *
 * @param type {@code String}, {@code Number} or {@code Binary}, possibly with a label of the sender's after a dot
 * @param value the text; Base64 when it is binary
 */
public record MessageAttribute(String type, String value) {

  /** An attribute of type {@code String}. */
  public static MessageAttribute text(String value) {
    return new MessageAttribute("String", value);
  }

  /** Whether the value stands for bytes. */
  public boolean isBinary() {
    return type.startsWith("Binary");
  }

  /** Names the type without the value. */
  @Override
  public String toString() {
    return "MessageAttribute[" + type + "]";
  }
}
