package io.queueworker;

import io.queueworker.gate.IdempotencyGate;

/**
 * The work on one message whose effect an {@link IdempotencyGate} protects.
 *
 * @param <T> what the body decodes to
 * @param <R> what the gate gives the handler to make its effect with, such as a transaction
 */
@FunctionalInterface
public interface GatedHandler<T, R> {

  /**
   * Does the work, with its effect made through {@code effects}. As {@link MessageHandler#handle}, except that returning
   * means "commit", and that the effect of a key commits at most once.
   *
   * @param effects usable on this thread and until this call ends
   */
  void handle(Delivery<T> delivery, R effects) throws Exception;
}
