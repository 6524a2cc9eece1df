package io.queueworker;

/**
 * What a user writes: the work on one message.
 *
 * @param <T> what the body decodes to
 */
@FunctionalInterface
public interface MessageHandler<T> {

  /**
   * Does the work. Returning means done: the message is then deleted. Throwing means that the {@link FailurePolicy}
   * decides.
   *
   * <p>Runs on a virtual thread of its own, may block, and is called again for the same message when that comes back.
   * It is interrupted when it runs past {@code maxProcessingTime} or when a close runs out of its budget; it should then
   * end soon. The message stays hidden from other workers while this runs, as long as {@link Delivery#isHeld()}.
   */
  void handle(Delivery<T> delivery) throws Exception;
}
