package io.queueworker.handle;

import io.queueworker.Failure.Stage;
import io.queueworker.gate.Admission.Completion;
import io.queueworker.observe.WorkerEvent.HoldReason;
import java.util.Optional;

/** What one attempt at a message came to. */
sealed interface Try {

  /** The effect is durable. */
  record Committed() implements Try {}

  /** The key was completed before. */
  record AlreadyDone(Optional<Completion> by) implements Try {}

  /** It failed: the policy decides. */
  record Failed(Stage stage, Throwable cause) implements Try {}

  /** It was told to end before its handler started. */
  record ToldToEnd() implements Try {}

  /** Nothing failed, but it cannot be done now: hold the message and try again here. */
  record Hold(HoldReason reason, String why) implements Try {}

  /** The gate answered and then its connection broke under the attempt, which left nothing behind. */
  record Broke(Stage stage, Throwable cause) implements Try {}

  /** Nobody can tell whether the effect happened, for a reason that a person was told. */
  record Uncertain(String why) implements Try {}

  /** The lease was lost, and the effect with it or not begun. */
  record Lost() implements Try {}
}
