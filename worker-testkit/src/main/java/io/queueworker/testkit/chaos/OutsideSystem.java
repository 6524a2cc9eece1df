package io.queueworker.testkit.chaos;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A system outside, such as a payment service, as its server sees it: every effect that it made.
 *
 * <p>Not thread-safe, and need not be: simulated threads run one at a time.
 */
final class OutsideSystem {

  private final boolean honoursKeys;
  private final Consumer<Effect> made;
  private final List<Effect> effects = new ArrayList<>();
  private final Set<String> keys = new HashSet<>();

  /**
   * One that answers a repeated idempotency key as a repetition, or not.
   *
   * @param made hears of each effect
   */
  OutsideSystem(boolean honoursKeys, Consumer<Effect> made) {
    this.honoursKeys = honoursKeys;
    this.made = made;
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
      made.accept(effect);
    }
    reply.answer(first);
  }
}
