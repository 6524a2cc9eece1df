package io.queueworker;

/**
 * Turns a message's text into what the handler works on.
 *
 * @param <T> what the body decodes to
 */
@FunctionalInterface
public interface BodyDecoder<T> {

  /**
   * Decodes one body, which may be empty. Runs on the handler's thread. Throwing, or returning null, is a failure of this
   * message alone: the {@link FailurePolicy} decides, and the message is never deleted for it.
   */
  T decode(String body) throws Exception;
}
