package io.queueworker.testkit.endpoint;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * What broke in the endpoint itself or in a script's own code. The close of the endpoint throws it, since the calls that it hit
 * only look like calls to a service that is down. Thread-safe; nothing blocks.
 */
final class Defects {

  private final Queue<Throwable> found = new ConcurrentLinkedQueue<>();

  /** Keeps one. */
  void add(Throwable defect) {
    found.add(defect);
  }

  /**
   * Throws what was found, if anything was.
   *
   * @throws IllegalStateException with the first one as cause and the others suppressed
   */
  void throwIfAny() {
    @Nullable Throwable first = found.poll();
    if (first == null) {
      return;
    }
    IllegalStateException told =
        new IllegalStateException(
            "the endpoint, or a condition in the script, failed; the calls that it hit were not served: " + first,
            first);
    found.forEach(told::addSuppressed);
    throw told;
  }
}
