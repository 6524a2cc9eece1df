package io.queueworker.testkit.engine;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a FIFO queue remembers of receives with a {@code ReceiveRequestAttemptId}, for five minutes (docs/queue-facts.md A3). Not
 * thread-safe: belongs to its engine.
 */
final class Attempts {

  private static final long INTERVAL = Duration.ofMinutes(5).toNanos();

  private final Map<String, Attempt> attempts = new HashMap<>();

  /** A receive that brought something. */
  private record Attempt(List<Issued> receipts, long at) {}

  /** Remembers what a receive brought. */
  void add(String id, List<Issued> receipts, long now) {
    if (!receipts.isEmpty()) {
      attempts.put(id, new Attempt(List.copyOf(receipts), now));
    }
  }

  /** The receipts that a repeated receive brings again; empty when it is no repetition or one of them is not as it was. */
  List<Issued> replay(String id, long now) {
    Attempt known = attempts.get(id);
    boolean same =
        known != null
            && now - known.at() < INTERVAL
            && known.receipts().stream().allMatch(receipt -> receipt.isHeld(now) && !receipt.changed);
    return known != null && same ? known.receipts() : List.of();
  }
}
