package io.queueworker.benchmarks;

import java.util.Optional;

/** Looks whether the queue is empty at last. */
interface QueueEnd {

  /** Waits so many seconds at most, and says what is left if there is something. */
  Optional<String> notReached(int seconds) throws InterruptedException;

  /** For a queue in this process. */
  static QueueEnd of(StubQueue queue) {
    return seconds -> queue.awaitEmpty(seconds)
        ? Optional.empty()
        : Optional.of(queue.left() + " messages were not deleted");
  }

  /** For a queue that is reached over HTTP. */
  static QueueEnd of(QueueCounter counter) {
    return seconds -> {
      long begun = System.nanoTime();
      int left = counter.messages();
      while (left > 0 && System.nanoTime() - begun < seconds * 1_000_000_000L) {
        Thread.sleep(50);
        left = counter.messages();
      }
      return left == 0 ? Optional.empty() : Optional.of(left + " messages were not deleted");
    };
  }
}
