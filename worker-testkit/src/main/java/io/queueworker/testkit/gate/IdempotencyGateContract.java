package io.queueworker.testkit.gate;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.queueworker.gate.Admission;
import io.queueworker.gate.Attempt;
import io.queueworker.gate.Attempt.Outcome;
import io.queueworker.gate.GateKey;
import io.queueworker.gate.GateVerdictException;
import io.queueworker.gate.IdempotencyGate;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * The contract of {@link IdempotencyGate}: a test class that implements this interface runs it against a gate of its own,
 * on a store that is empty when each test begins.
 *
 * {@snippet :
 * class RedisGateTest implements IdempotencyGateContract<Orders> {
 *   private final Store store = Store.empty();
 *
 *   @Override
 *   public IdempotencyGate<Orders> gate() {
 *     return new RedisGate(store.url());
 *   }
 *
 *   @Override
 *   public Optional<IdempotencyGate<Orders>> gateWithoutStore() {
 *     return Optional.of(new RedisGate("redis://127.0.0.1:1"));
 *   }
 *
 *   @Override
 *   public void effect(Orders effects, String id) {
 *     effects.append("effects", id);
 *   }
 *
 *   @Override
 *   public long effects(String id) {
 *     return store.count("effects", id);
 *   }
 * }
 * }
 *
 * <p>JUnit makes an instance of the class for each test, on whose thread the methods are called; {@link #effect} is called
 * on other threads too, many at once.
 *
 * @param <R> what handlers of the gate make their effects with
 */
public interface IdempotencyGateContract<R> {

  /** How many attempts the tests make at once: the gate's pool must lend as many connections, or wait for them. */
  int AT_ONCE = 16;

  /**
   * A gate on this test's store, not open yet; each call may give a new one. An attempt should wait for another one at the
   * same key for a second at most: the tests wait for that to end.
   */
  IdempotencyGate<R> gate() throws Exception;

  /**
   * A gate whose store cannot work, for example because its table is missing, so that {@link IdempotencyGate#open()} must
   * say so; empty for a gate that needs nothing outside.
   */
  Optional<IdempotencyGate<R>> gateWithoutStore() throws Exception;

  /**
   * Makes an effect, as a handler does. A {@link GateVerdictException} of the gate passes.
   *
   * @param id of the effect, 1 to 20 letters and digits of ASCII; several effects may have the same
   */
  void effect(R effects, String id) throws Exception;

  /** How many durable effects have the id. */
  long effects(String id) throws Exception;

  private IdempotencyGate<R> open() throws Exception {
    IdempotencyGate<R> gate = gate();
    gate.open();
    return gate;
  }

  private Outcome run(IdempotencyGate<R> gate, GateKey key, String message, String effect) throws Exception {
    return GateAttempts.run(this, gate, key, GateAttempts.info(message), effect);
  }

  /** A gate opens as often as workers with it start, and one that cannot work says so in words. */
  @Test
  default void a_gate_opens_and_one_that_cannot_work_says_so() throws Exception {
    IdempotencyGate<R> gate = gate();
    gate.open();
    assertDoesNotThrow(gate::open, "a second open()");
    Optional<IdempotencyGate<R>> broken = gateWithoutStore();
    if (broken.isPresent()) {
      IllegalStateException refused = assertThrows(IllegalStateException.class, broken.get()::open);
      assertTrue(refused.getMessage() != null && !refused.getMessage().isBlank(), "the refusal has no words");
    }
  }

  /** A fresh key commits once; then its message only needs deleting. */
  @Test
  default void a_fresh_key_commits_and_is_done_from_then_on() throws Exception {
    IdempotencyGate<R> gate = open();
    GateKey key = new GateKey("orders", "1");
    assertEquals(new Outcome.Committed(), run(gate, key, "m-1", "e1"));

    Outcome again = run(gate, key, "m-2", "e1");

    Outcome.AlreadyDone done = assertInstanceOf(Outcome.AlreadyDone.class, again);
    done.by().ifPresent(by -> {
      assertEquals("m-1", by.messageId());
      assertEquals("worker-1", by.worker());
      assertEquals(1, by.receiveCount());
      assertFalse(by.took().isNegative(), "took " + by.took());
    });
    assertEquals(1, effects("e1"));
  }

  /** What one worker completed is done for another one, and after a restart. */
  @Test
  default void a_key_is_done_for_another_gate_on_the_same_store() throws Exception {
    GateKey key = new GateKey("orders", "1");
    assertEquals(new Outcome.Committed(), run(open(), key, "m-1", "e1"));
    assertInstanceOf(Outcome.AlreadyDone.class, run(open(), key, "m-1", "e1"));
    assertEquals(1, effects("e1"));
  }

  /** A rollback leaves the key fresh and, where the gate is transactional, no effect. */
  @Test
  default void a_rollback_leaves_nothing_and_the_key_is_fresh_again() throws Exception {
    IdempotencyGate<R> gate = open();
    GateKey key = new GateKey("orders", "1");
    Attempt<R> attempt = GateAttempts.fresh(gate, key, "m-1");
    effect(attempt.effects(), "undone");

    assertFalse(attempt.rollback(), "connection lost");

    if (gate.transactional()) {
      assertEquals(0, effects("undone"));
    }
    assertEquals(new Outcome.Committed(), run(gate, key, "m-1", "e1"));
    assertEquals(1, effects("e1"));
  }

  /** An attempt whose handler failed before it made any effect leaves nothing. */
  @Test
  default void an_attempt_without_an_effect_rolls_back() throws Exception {
    IdempotencyGate<R> gate = open();
    GateKey key = new GateKey("orders", "1");
    assertFalse(GateAttempts.fresh(gate, key, "m-1").rollback(), "connection lost");
    assertEquals(new Outcome.Committed(), run(gate, key, "m-1", "e1"));
  }

  /** While one attempt holds the key, another one is in progress, and done once the first committed. */
  @Test
  default void another_attempt_is_in_progress_until_the_first_commits() throws Exception {
    IdempotencyGate<R> gate = open();
    GateKey key = new GateKey("orders", "1");
    Attempt<R> first = GateAttempts.fresh(gate, key, "m-1");
    effect(first.effects(), "e1");

    assertInstanceOf(Outcome.InProgress.class, run(gate, key, "m-2", "e1"));
    assertInstanceOf(Outcome.InProgress.class, run(open(), key, "m-1", "e1"), "the same message, received again");

    assertEquals(Optional.empty(), first.verdict());
    assertEquals(new Outcome.Committed(), first.commit());
    assertInstanceOf(Outcome.AlreadyDone.class, run(gate, key, "m-2", "e1"));
    assertEquals(1, effects("e1"));
  }

  /** An attempt that was in progress may run once the first rolled back. */
  @Test
  default void another_attempt_commits_after_the_first_rolled_back() throws Exception {
    IdempotencyGate<R> gate = open();
    GateKey key = new GateKey("orders", "1");
    Attempt<R> first = GateAttempts.fresh(gate, key, "m-1");
    effect(first.effects(), "undone");
    assertInstanceOf(Outcome.InProgress.class, run(gate, key, "m-2", "e1"));

    assertFalse(first.rollback(), "connection lost");

    assertEquals(new Outcome.Committed(), run(gate, key, "m-2", "e1"));
    assertInstanceOf(Outcome.AlreadyDone.class, run(gate, key, "m-1", "e1"));
    assertEquals(1, effects("e1"));
  }

  /** A verdict stands though the handler swallows it and returns. */
  @Test
  default void a_verdict_stands_though_the_handler_swallows_it() throws Exception {
    IdempotencyGate<R> gate = open();
    GateKey key = new GateKey("orders", "1");
    Attempt<R> first = GateAttempts.fresh(gate, key, "m-1");
    effect(first.effects(), "e1");
    if (gate.admit(key, GateAttempts.info("m-2")) instanceof Admission.Fresh<R> taken) {
      Attempt<R> second = taken.attempt();
      assertThrows(GateVerdictException.class, () -> effect(second.effects(), "e2"));
      assertThrows(GateVerdictException.class, () -> effect(second.effects(), "e2"), "the second time");
      assertInstanceOf(Outcome.InProgress.class, second.verdict().orElse(null));
      assertNotEquals(new Outcome.Committed(), second.commit());
      assertInstanceOf(Outcome.InProgress.class, second.verdict().orElse(null), "the verdict after the commit");
    }
    assertEquals(new Outcome.Committed(), first.commit());
    assertEquals(1, effects("e1"));
    assertEquals(0, effects("e2"));
  }

  /** Of many attempts at one key at once, one commits and the others find it done. */
  @Test
  default void many_attempts_at_once_at_one_key_make_one_effect() throws Exception {
    IdempotencyGate<R> gate = open();
    GateKey key = new GateKey("orders", "1");

    List<Outcome> outcomes = GateAttempts.together(this, gate, AT_ONCE, i -> key, i -> "e1");

    assertEquals(1, outcomes.stream().filter(new Outcome.Committed()::equals).count(), outcomes::toString);
    assertEquals(
        AT_ONCE - 1, outcomes.stream().filter(Outcome.AlreadyDone.class::isInstance).count(), outcomes::toString);
    assertEquals(1, effects("e1"));
  }

  /** Attempts at as many keys do not get in each other's way. */
  @Test
  default void many_attempts_at_once_at_as_many_keys_make_as_many_effects() throws Exception {
    List<Outcome> outcomes = GateAttempts.together(
        this, open(), AT_ONCE, i -> new GateKey("orders", "order-" + i), i -> "e" + i);

    for (int i = 0; i < AT_ONCE; i++) {
      assertEquals(new Outcome.Committed(), outcomes.get(i), "of attempt " + i);
      assertEquals(1, effects("e" + i), "effects of attempt " + i);
    }
  }

  /** The same key in two scopes names two effects. */
  @Test
  default void the_same_key_in_another_scope_is_another_key() throws Exception {
    IdempotencyGate<R> gate = open();
    for (String scope : List.of("orders", "Orders", "orders ", "orders-2", "q".repeat(200))) {
      GateKey key = new GateKey(scope, "1");
      assertEquals(new Outcome.Committed(), run(gate, key, "m-1", "e1"), () -> GateAttempts.shown(key));
      assertInstanceOf(Outcome.AlreadyDone.class, run(gate, key, "m-2", "e1"), () -> GateAttempts.shown(key));
    }
    assertEquals(5, effects("e1"));
  }

  /** Keys are compared exactly: no case, blanks, accents or ends are dropped. */
  @Test
  default void keys_that_look_alike_are_different_keys() throws Exception {
    IdempotencyGate<R> gate = open();
    List<String> texts = List.of(
        "A", "a", "x", "x ", " x", "x\t", "\u00e9", "e\u0301", "\u00df", "ss", "a\0b", "a\ufffdb", "\u0430",
        "k".repeat(4000), "k".repeat(3999) + "l", "\ud83d\ude00", "\ud83d\ude01", "k".repeat(499) + "\ud83d\ude00");
    for (String text : texts) {
      GateKey key = new GateKey("orders", text);
      assertEquals(new Outcome.Committed(), run(gate, key, "m-1", "e1"), () -> GateAttempts.shown(key));
    }
    for (String text : texts) {
      GateKey key = new GateKey("orders", text);
      assertInstanceOf(Outcome.AlreadyDone.class, run(gate, key, "m-2", "e1"), () -> GateAttempts.shown(key));
    }
    assertEquals(texts.size(), effects("e1"));
  }

  /** The names of workers and messages are for people: none of them makes the store refuse a key. */
  @Test
  default void names_of_any_kind_are_recorded_or_shortened_but_not_refused() throws Exception {
    IdempotencyGate<R> gate = open();
    int number = 0;
    for (String name : List.of("\ud83d\ude00", "a\0b", "n".repeat(199) + "\ud83d\ude00", "n".repeat(5000), "'\";--")) {
      GateKey key = new GateKey("orders", "order-" + number++);
      assertEquals(
          new Outcome.Committed(), GateAttempts.run(this, gate, key, GateAttempts.info(name, name, 7), "e1"));
      assertInstanceOf(Outcome.AlreadyDone.class, run(gate, key, "m-2", "e1"));
    }
  }
}
