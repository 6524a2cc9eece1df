package io.queueworker.testkit.chaos;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A system outside, such as a payment service, as its server sees it: every effect that it made.
 *
 * <p>Not thread-safe, and need not be: simulated threads run one at a time.
 */
final class OutsideSystem {

  private final boolean honoursKeys;
  private final List<Effect> effects = new ArrayList<>();
  private final Set<String> keys = new HashSet<>();

  /** One that answers a repeated idempotency key as a repetition, or not. */
  OutsideSystem(boolean honoursKeys) {
    this.honoursKeys = honoursKeys;
  }

  /** The effects, in order. */
  List<Effect> effects() {
    return List.copyOf(effects);
  }

  /** Makes an effect, unless it was made for this idempotency key. */
  void call(String idempotencyKey, Effect effect, Reply<Boolean> reply) {
    boolean first = !honoursKeys || idempotencyKey.isEmpty() || keys.add(idempotencyKey);
    if (first) {
      effects.add(effect);
    }
    reply.answer(first);
  }
}
