package io.queueworker.examples.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class ChaosOptionsTest {

  @Test
  void the_queues_share_the_kills_and_freezes() {
    List<ChaosOptions> rounds = options(List.of("elasticmq", "strict"), 21, 10).rounds();

    assertThat(rounds).extracting(ChaosOptions::queue).containsExactly("elasticmq", "strict");
    assertThat(rounds).extracting(ChaosOptions::kills).containsExactly(10, 11);
    assertThat(rounds).extracting(ChaosOptions::freezes).containsExactly(5, 5);
    assertThat(options(List.of("strict"), 21, 10).rounds()).extracting(ChaosOptions::kills).containsExactly(21);
  }

  @Test
  void a_value_out_of_range_is_named_with_what_is_allowed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> options(List.of("elasticmq"), -1, 10))
        .withMessage("kills is -1: give -Dkills=0 up to -Dkills=10000");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> options(List.of("rabbit"), 1, 10))
        .withMessage("queue is \"rabbit\": give -Dqueue=elasticmq or -Dqueue=strict, or nothing for both");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Control.of("off"))
        .withMessage("control is \"off\": give one of none, gate-off, delete-first");
  }

  @Test
  void a_plan_has_the_kills_and_freezes_that_were_asked_for() {
    List<Harm> plan = HarmPlan.of(20, 10, 1);

    long freezes = plan.stream().filter(Harm.Freezing.class::isInstance).count();
    long fatal = plan.stream().filter(harm -> harm instanceof Harm.Freezing freezing && freezing.fatal()).count();
    long killings = plan.stream().filter(Harm.Killing.class::isInstance).count();
    assertThat(freezes).isEqualTo(10);
    assertThat(fatal).isPositive();
    assertThat(killings + fatal).isEqualTo(20);
    assertThat(plan).isEqualTo(HarmPlan.of(20, 10, 1)).isNotEqualTo(HarmPlan.of(20, 10, 2));
    assertThat(plan)
        .filteredOn(Harm.Freezing.class::isInstance)
        .allSatisfy(
            harm -> assertThat(((Harm.Freezing) harm).lengthMillis())
                .isGreaterThan(ChaosOptions.VISIBILITY.toMillis()));
  }

  @Test
  void a_mix_for_workers_that_are_wrong_has_nothing_else_that_makes_a_second_effect() {
    TaskMix fair = new TaskMix(1, true);
    TaskMix wrong = new TaskMix(1, false);

    for (int number = 1; number <= 200; number++) {
      assertThat(wrong.task(number).failsFirst()).isFalse();
      assertThat(wrong.repeatedAfter(number)).isNegative();
      assertThat(wrong.task(number).millis()).isEqualTo(fair.task(number).millis());
    }
    assertThat(fair.repeatedAfter(3)).isZero();
    assertThat(fair.repeatedAfter(7)).isPositive();
  }

  private static ChaosOptions options(List<String> queues, int kills, int freezes) {
    return new ChaosOptions(queues, kills, freezes, 4, 100, 1, Control.NONE);
  }
}
