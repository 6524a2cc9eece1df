package io.queueworker;

import io.queueworker.queue.RejectAttributes;

/**
 * Names the effect of a message: two messages with the same key have one effect together.
 *
 * @param <T> what the body decodes to
 */
@FunctionalInterface
public interface KeyFunction<T> {

  /**
   * The key of one delivery. Prefer one from the business, such as an order number: the message id changes when a
   * dead-letter queue is redriven and when a producer sends twice. Null, empty or throwing is a failure of this message.
   */
  String keyOf(Delivery<T> delivery) throws Exception;

  /**
   * The message id as the key, for messages that carry nothing better: that under which the message was first rejected, when
   * it has come back from the dead-letter queue with that id as an attribute.
   */
  static <T> KeyFunction<T> messageId() {
    return delivery -> delivery.attributes().getOrDefault(RejectAttributes.ORIGINAL_MESSAGE_ID, delivery.id());
  }
}
