package io.queueworker.settle;

import io.queueworker.observe.WorkerEvent;
import io.queueworker.observe.WorkerEvent.InternalError;
import io.queueworker.queue.EntryResult;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The answers of a queue to one call, whatever the queue does: one that throws has answered none. Thread-safe. */
record Answers(Consumer<WorkerEvent> events) {

  /** One answer for each of {@code count} entries; nothing is called for none. */
  List<EntryResult> of(int count, String what, Supplier<List<EntryResult>> call) {
    if (count == 0) {
      return List.of();
    }
    try {
      List<EntryResult> answers = call.get();
      if (answers.size() == count && !answers.contains(null)) {
        return answers;
      }
      throw new IllegalStateException(
          "the queue answered " + answers.size() + " of " + count + " entries; a MessageQueue must answer each");
    } catch (Throwable t) {
      events.accept(new InternalError(what, t));
      return Collections.nCopies(count, new EntryResult.Retryable(t.toString()));
    }
  }
}
