package io.queueworker.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.queueworker.gate.Attempt.Outcome;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Keys, and the gate that ignores them. */
class GateKeyTest {

  @Test
  void what_would_make_unrelated_messages_one_is_refused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new GateKey("orders", "")).withMessageContaining("empty");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new GateKey("orders", "a\ud83d"))
        .withMessageContaining("half a surrogate pair");
    assertThatIllegalArgumentException().isThrownBy(() -> new GateKey("", "1")).withMessageContaining("1 to 200");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new GateKey("q".repeat(201), "1"))
        .withMessageContaining("201");
    assertThatCode(() -> new GateKey("q".repeat(200), "\ud83d\ude00")).doesNotThrowAnyException();
  }

  @Test
  void the_text_for_people_is_cut_at_a_whole_character() {
    assertThat(new RowText(true).of("abc", 3)).isEqualTo("abc");
    assertThat(new RowText(true).of("abcd", 3)).isEqualTo("abc");
    assertThat(new RowText(true).of("ab\ud83d\ude00", 3)).isEqualTo("ab");
    assertThat(new RowText(true).of("a\ud83d\ude00d", 3)).isEqualTo("a\ud83d\ude00");
    assertThat(new RowText(true).of("a\0b", 3)).isEqualTo("a\ufffdb");
  }

  @Test
  void without_a_gate_every_attempt_is_fresh() {
    NoGate gate = NoGate.instance();
    gate.open();
    AttemptInfo info = new AttemptInfo("w", "m", 1, Duration.ofSeconds(1), warning -> {});
    for (int i = 0; i < 2; i++) {
      Admission<NoGate> admission = gate.admit(new GateKey("orders", "1"), info);
      assertThat(admission).isInstanceOf(Admission.Fresh.class);
      Attempt<NoGate> attempt = ((Admission.Fresh<NoGate>) admission).attempt();
      assertThat(attempt.commit()).isEqualTo(new Outcome.Committed());
      assertThat(attempt.verdict()).isEmpty();
      assertThat(attempt.rollback()).isFalse();
    }
    assertThat(gate.transactional()).isFalse();
  }
}
