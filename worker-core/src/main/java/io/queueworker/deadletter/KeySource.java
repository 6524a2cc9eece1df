package io.queueworker.deadletter;

/** What the idempotency keys of a queue's workers are made of, which decides how a message may travel. */
public enum KeySource {

  /**
   * The message id, or what {@link io.queueworker.queue.RejectAttributes#ORIGINAL_MESSAGE_ID} says instead. Each message has to
   * carry its first id on the way back, or the gate takes it for a new one.
   */
  MESSAGE_ID,

  /** Something in the message itself, such as an order number, which no journey changes. */
  BUSINESS_KEY
}
