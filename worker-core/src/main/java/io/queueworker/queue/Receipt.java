package io.queueworker.queue;

/**
 * The token of one receive of one message, with which that receive is extended, released or deleted. A later receive of
 * the same message has another. It is a capability, so it never shows in text.
 *
 * @param value the receipt handle as the service gave it
 */
public record Receipt(String value) {

  @Override
  public String toString() {
    return "Receipt[hidden]";
  }
}
