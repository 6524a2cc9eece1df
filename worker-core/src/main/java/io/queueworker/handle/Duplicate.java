package io.queueworker.handle;

import io.queueworker.DuplicateCause;
import io.queueworker.DuplicateDiagnosis;
import io.queueworker.gate.Admission.Completion;
import io.queueworker.queue.ReceivedMessage;
import io.queueworker.queue.RejectAttributes;
import java.util.Optional;

/**
 * A redelivery that was recognised, with what is known about it. Immutable.
 *
 * @param by whose work it was, where known
 */
record Duplicate(ReceivedMessage message, Optional<Completion> by) {

  /** Why it came. */
  DuplicateDiagnosis diagnosis() {
    if (by.isPresent() && !by.get().messageId().equals(message.id())) {
      return anotherMessage(by.get());
    }
    return new DuplicateDiagnosis(DuplicateCause.UNKNOWN, "Nothing is known about the end of the work.");
  }

  private DuplicateDiagnosis anotherMessage(Completion work) {
    String first = message.attributes().get(RejectAttributes.ORIGINAL_MESSAGE_ID);
    return work.messageId().equals(first)
        ? new DuplicateDiagnosis(
            DuplicateCause.REDRIVEN,
            "This is message " + first + " with a new id, sent back from a dead-letter queue after it was done.")
        : new DuplicateDiagnosis(
            DuplicateCause.PRODUCER_DUPLICATE,
            "The work was done for another message, " + work.messageId() + ", with the same key.");
  }
}
