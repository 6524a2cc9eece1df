package io.queueworker.examples.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What makes the chaos program fail, on figures alone. */
class ChaosAuditTest {

  @Test
  void one_effect_for_each_task_and_nothing_left_is_clean() {
    assertThat(new ChaosAudit(100, 0, 0, 100, 30, 0, 0, 0).isClean()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "a task without effect, 1, 0, 100, 0, 0, 0",
    "a task with two effects, 0, 1, 100, 0, 0, 0",
    "a key without its row, 0, 0, 99, 0, 0, 0",
    "a message left, 0, 0, 100, 1, 0, 0",
    "a message left in flight, 0, 0, 100, 0, 1, 0",
    "a dead letter, 0, 0, 100, 0, 0, 1"})
  void anything_else_is_not(String what, int lost, int twice, int keys, int onQueue, int inFlight, int dead) {
    assertThat(new ChaosAudit(100, lost, twice, keys, 30, onQueue, inFlight, dead).isClean()).as(what).isFalse();
  }

  @Test
  void too_few_kills_or_freezes_are_a_failure() {
    assertThat(result(2, 1, false).isClean()).isTrue();
    assertThat(result(1, 1, false).isClean()).isFalse();
    assertThat(result(2, 0, false).isClean()).isFalse();
    assertThat(result(2, 1, true).isClean()).as("a worker ended by itself").isFalse();
  }

  private static ChaosResult result(int killed, int freezes, boolean workerFailed) {
    return new ChaosResult(
        new ChaosOptions(List.of("strict"), 2, 1, 4, 100, 1, Control.NONE),
        new ChaosAudit(100, 0, 0, 100, 30, 0, 0, 0),
        120,
        killed,
        List.of(),
        List.of(new Freeze("worker-1", 0, 1, Optional.empty())).subList(0, freezes),
        List.of(),
        List.of(),
        workerFailed,
        Duration.ofSeconds(60));
  }
}
