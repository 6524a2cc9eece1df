package io.queueworker.integration;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queueworker.gate.Admission;
import io.queueworker.gate.AttemptInfo;
import io.queueworker.gate.Fenced;
import io.queueworker.gate.GateKey;
import io.queueworker.gate.IdempotencyGate;
import io.queueworker.gate.LeasedGate;
import io.queueworker.testkit.gate.IdempotencyGateContract;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** The contract finds the gates that break it. */
class BrokenGatesTest {

  @Test
  void a_gate_that_forgets_what_it_admitted_fails() {
    Subject forgetful = new Subject(LeasedGate::inMemory, key -> key);
    fails(forgetful::a_fresh_key_commits_and_is_done_from_then_on);
    fails(forgetful::another_attempt_is_in_progress_until_the_first_commits);
    fails(forgetful::many_attempts_at_once_at_one_key_make_one_effect);
  }

  @Test
  void a_gate_that_leaves_the_scope_out_fails() {
    fails(remembering(key -> new GateKey("all", key.text()))::the_same_key_in_another_scope_is_another_key);
  }

  @Test
  void a_gate_that_compares_as_a_collation_does_fails() {
    fails(remembering(
        key -> new GateKey(key.scope(), key.text().toLowerCase(Locale.ROOT)))::keys_that_look_alike_are_different_keys);
    fails(remembering(
        key -> new GateKey(key.scope(), key.text().stripTrailing()))::keys_that_look_alike_are_different_keys);
  }

  @Test
  void the_same_gate_unbroken_passes() {
    assertThatCode(remembering(key -> key)::a_fresh_key_commits_and_is_done_from_then_on).doesNotThrowAnyException();
    assertThatCode(remembering(key -> key)::another_attempt_is_in_progress_until_the_first_commits)
        .doesNotThrowAnyException();
    assertThatCode(remembering(key -> key)::many_attempts_at_once_at_one_key_make_one_effect)
        .doesNotThrowAnyException();
    assertThatCode(remembering(key -> key)::the_same_key_in_another_scope_is_another_key).doesNotThrowAnyException();
    assertThatCode(remembering(key -> key)::keys_that_look_alike_are_different_keys).doesNotThrowAnyException();
  }

  private static void fails(ThrowingCallable contract) {
    assertThatThrownBy(contract).isInstanceOf(AssertionError.class);
  }

  private static Subject remembering(UnaryOperator<GateKey> changed) {
    LeasedGate one = LeasedGate.inMemory();
    return new Subject(() -> one, changed);
  }

  /**
   * A gate in memory, broken on demand.
   *
   * @param store the gate to ask at each admission
   * @param changed what becomes of a key on its way there
   */
  private record Subject(Supplier<LeasedGate> store, UnaryOperator<GateKey> changed, List<String> effects)
      implements
      IdempotencyGateContract<Fenced>,
      IdempotencyGate<Fenced> {

    Subject(Supplier<LeasedGate> store, UnaryOperator<GateKey> changed) {
      this(store, changed, new CopyOnWriteArrayList<>());
    }

    @Override
    public void open() {}

    @Override
    public boolean transactional() {
      return false;
    }

    @Override
    public Admission<Fenced> admit(GateKey key, AttemptInfo attempt) throws Exception {
      return store.get().admit(changed.apply(key), attempt);
    }

    @Override
    public IdempotencyGate<Fenced> gate() {
      return this;
    }

    @Override
    public Optional<IdempotencyGate<Fenced>> gateWithoutStore() {
      return Optional.empty();
    }

    @Override
    public void effect(Fenced fenced, String id) {
      effects.add(id);
    }

    @Override
    public long effects(String id) {
      return effects.stream().filter(id::equals).count();
    }
  }
}
