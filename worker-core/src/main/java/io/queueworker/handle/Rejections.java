package io.queueworker.handle;

import io.queueworker.Failure;
import io.queueworker.FailureAction;
import io.queueworker.gate.DriverWords;
import io.queueworker.settle.Rejection;
import java.util.Optional;

/** What a rejected message says of its reject on the dead-letter queue. Stateless. */
final class Rejections {

  private Rejections() {}

  /** A failure that the policy, or the handler, rejects. */
  static Rejection of(Failure failure, FailureAction.Reject action) {
    return new Rejection(
        action.reason().orElseGet(() -> words(failure)), Optional.of(failure.cause().getClass().getName()));
  }

  /** A message whose effect may or may not have happened. */
  static Rejection uncertain(String why) {
    return new Rejection("it is uncertain whether its effect happened: " + why, Optional.empty());
  }

  /** The step and what was thrown; the reason is logged too, so what may quote the body or a password stays out. */
  private static String words(Failure failure) {
    String name = failure.cause().getClass().getName();
    String message = failure.cause().getMessage();
    String thrown = message == null ? name : DriverWords.masked(name + ": " + message);
    return switch (failure.stage()) {
      case DECODE -> "the body could not be decoded: " + name;
      case KEY -> "the key function failed: " + name;
      case HANDLE -> "the handler failed: " + thrown;
      case COMMIT -> "the commit failed: " + thrown;
    };
  }
}
