package io.queueworker.handle;

import io.queueworker.Failure.Stage;
import io.queueworker.gate.Admission.Completion;
import io.queueworker.observe.DeliveryOutcome;
import io.queueworker.observe.Observed;
import io.queueworker.observe.WorkerEvent.HoldReason;
import java.util.Optional;

/** What one attempt at a message came to. */
sealed interface Try {

  /** Tells an observer of the attempt. */
  default void tell(Observed observed) {
    switch (this) {
      case Committed committed -> observed.cameTo(DeliveryOutcome.COMMITTED, null, false);
      case AlreadyDone done -> observed.cameTo(DeliveryOutcome.SUPPRESSED, null, false);
      case Failed failed -> observed.cameTo(DeliveryOutcome.FAILED, failed.cause(), failed.mayQuoteBody());
      case ToldToEnd told -> observed.cameTo(DeliveryOutcome.CUT_SHORT, null, false);
      case Hold hold -> observed.cameTo(
          hold.reason() == HoldReason.COMMIT_UNKNOWN ? DeliveryOutcome.COMMIT_UNKNOWN : DeliveryOutcome.HELD, null,
          false);
      case Broke broke -> observed.cameTo(DeliveryOutcome.HELD, broke.cause(), false);
      case Uncertain uncertain -> observed.cameTo(DeliveryOutcome.UNCERTAIN, null, false);
      case Lost lost -> observed.cameTo(DeliveryOutcome.LOST, null, false);
    }
  }

  /** The effect is durable. */
  record Committed() implements Try {}

  /** The key was completed before. */
  record AlreadyDone(Optional<Completion> by) implements Try {}

  /** It failed: the policy decides. */
  record Failed(Stage stage, Throwable cause) implements Try {

    /** Whether the cause's message may quote the body, as those of decoders do. */
    boolean mayQuoteBody() {
      return stage == Stage.DECODE || stage == Stage.KEY;
    }
  }

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
