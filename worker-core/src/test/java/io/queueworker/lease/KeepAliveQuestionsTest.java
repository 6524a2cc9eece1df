package io.queueworker.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queueworker.LossReason;
import io.queueworker.observe.WorkerEvent.LeaseLost;
import io.queueworker.observe.WorkerEvent.UserCodeFailed;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** When the user's condition is asked, how often at once, and what its answer does. */
class KeepAliveQuestionsTest {

  private final BeatsRig rig = new BeatsRig();
  private final List<String> asked = new ArrayList<>();
  private final KeepAliveQuestions questions =
      new KeepAliveQuestions(rig.questions, 2, new Losses(rig.registry, rig.events::add), rig.events::add);

  /** A lease whose condition gives this answer. */
  private Lease lease(String id, BooleanSupplier answer) {
    Lease lease = rig.lease(id);
    lease.watch().keepAliveWhile(
        () -> {
          asked.add(id);
          return answer.getAsBoolean();
        });
    return lease;
  }

  @Test
  void a_lease_without_a_condition_costs_no_thread() {
    questions.ask(rig.lease("a"));
    assertThat(rig.questions.tasks).isEmpty();
  }

  @Test
  void no_more_threads_ask_than_there_are_and_each_goes_on_with_what_waits() {
    for (String id : List.of("a", "b", "c")) {
      questions.ask(lease(id, () -> true));
    }
    assertThat(rig.questions.tasks).hasSize(2);
    rig.questions.tasks.remove().run();
    assertThat(asked).containsExactly("a", "b", "c");
    rig.questions.run();
    questions.ask(lease("d", () -> true));
    questions.ask(lease("e", () -> true));
    assertThat(rig.questions.tasks).as("both threads are free again").hasSize(2);
  }

  @Test
  void a_question_that_waits_is_asked_once_however_many_beats_pass() {
    Lease lease = lease("a", () -> true);
    questions.ask(lease);
    questions.ask(lease);
    rig.questions.run();
    assertThat(asked).containsExactly("a");
    questions.ask(lease);
    rig.questions.run();
    assertThat(asked).as("with the next beat").containsExactly("a", "a");
  }

  @Test
  void a_question_that_hangs_is_not_asked_beside_itself_and_is_asked_again_once_it_is_answered() {
    Lease[] hanging = new Lease[1];
    hanging[0] =
        lease(
            "a",
            () -> {
              if (asked.size() == 1) {
                questions.ask(hanging[0]);
                assertThat(rig.questions.tasks).as("a beat while it hangs").isEmpty();
              }
              return true;
            });
    questions.ask(hanging[0]);
    rig.questions.run();
    assertThat(asked).containsExactly("a");
    questions.ask(hanging[0]);
    rig.questions.run();
    assertThat(asked).containsExactly("a", "a");
  }

  @Test
  void a_handler_that_has_ended_is_not_asked_about() {
    Lease lease = lease("a", () -> false);
    questions.ask(lease);
    questions.forget(lease);
    rig.questions.run();
    assertThat(asked).isEmpty();
    assertThat(rig.events).isEmpty();
  }

  @Test
  void a_question_that_no_thread_could_be_had_for_is_asked_with_the_next_beat() {
    Lease lease = lease("a", () -> true);
    rig.questions.refuses = true;
    questions.ask(lease);
    questions.ask(lease);
    questions.ask(lease);
    rig.questions.refuses = false;
    questions.ask(lease);
    rig.questions.run();
    assertThat(asked).containsExactly("a");
  }

  @Test
  void an_answer_for_a_condition_that_is_not_the_present_one_is_for_nobody() {
    Lease[] lease = new Lease[1];
    lease[0] =
        lease(
            "a",
            () -> {
              lease[0].watch().keepAliveWhile(() -> true);
              return false;
            });
    questions.ask(lease[0]);
    rig.questions.run();
    assertThat(lease[0].state()).isEqualTo(LeaseState.HELD);
  }

  @Test
  void a_condition_that_throws_is_told_and_keeps_its_message_and_the_next_one_is_asked() {
    questions.ask(
        lease(
            "a",
            () -> {
              throw new IllegalStateException("broken");
            }));
    questions.ask(lease("b", () -> false));
    rig.questions.run();
    assertThat(rig.events).hasSize(2);
    assertThat(rig.events.get(0)).isInstanceOfSatisfying(
        UserCodeFailed.class, failed -> assertThat(failed.cause()).hasMessage("broken"));
    assertThat(rig.events.get(1)).isEqualTo(new LeaseLost("b", 1, LossReason.GIVEN_UP, ""));
  }

  @Test
  void a_pool_that_fails_costs_no_thread_and_the_next_beat_asks() {
    Lease lease = lease("a", () -> true);
    rig.questions.breaks = true;
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> questions.ask(lease)).hasMessage("no thread");
    }
    rig.questions.breaks = false;
    questions.ask(lease);
    rig.questions.run();
    assertThat(asked).containsExactly("a");
  }

  @Test
  void a_thread_that_cannot_even_tell_of_a_failure_is_replaced_and_its_lease_is_asked_about_again() {
    boolean[] full = {true};
    KeepAliveQuestions alone =
        new KeepAliveQuestions(
            rig.questions, 1, new Losses(rig.registry, rig.events::add), event -> {
              if (full[0]) {
                throw new IllegalStateException("no memory");
              }
            });
    Lease lease = lease("a", () -> {
      throw new IllegalStateException("broken");
    });
    alone.ask(lease);
    assertThatThrownBy(rig.questions::run).hasMessage("no memory");
    full[0] = false;
    alone.ask(lease);
    rig.questions.run();
    assertThat(asked).containsExactly("a", "a");
  }
}
