package io.queueworker.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.gate.Attempt.Outcome;
import io.queueworker.timing.SetClock;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** The completion of a record whose store does not answer. */
class LeasedAttemptTest {
  private static final GateKey KEY = new GateKey("orders", "order-1");

  private final LeaseMemory memory = new LeaseMemory(new SetClock());
  private final Unanswered unanswered = new Unanswered();
  private final List<String> warnings = new ArrayList<>();
  private final List<Exception> lost = new ArrayList<>();
  private int unansweredCalls;

  /** The records in memory, whose next completions are made and not answered. */
  private LeaseRecords records() {
    return (LeaseRecords) Proxy.newProxyInstance(
        LeaseRecords.class.getClassLoader(),
        new Class<?>[]{LeaseRecords.class},
        (proxy, method, arguments) -> {
          try {
            Object answer = method.invoke(memory, arguments);
            if (method.getName().equals("complete") && unansweredCalls > 0) {
              unansweredCalls--;
              lost.add(new IllegalStateException("answer lost " + unansweredCalls));
              throw lost.get(lost.size() - 1);
            }
            return answer;
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        });
  }

  private LeasedAttempt begun() {
    AttemptInfo info = new AttemptInfo("worker-1", "m-1", 1, Duration.ofSeconds(30), warnings::add);
    OptionalLong fence = memory.begin(KEY, info, "first");
    return new LeasedAttempt(
        records(), unanswered, KEY, info, "first", LeasedAttempt.fenced(KEY, fence).orElseThrow(), true);
  }

  @Test
  void a_completion_that_was_made_and_not_answered_is_found_made_at_the_next_try() {
    LeasedAttempt attempt = begun();
    unansweredCalls = 2;
    assertThat(attempt.commit()).isEqualTo(new Outcome.Committed());
    assertThat(warnings).isEmpty();
    assertThat(unanswered.ownerOf(KEY)).isEmpty();
  }

  @Test
  void after_three_tries_without_an_answer_it_is_unknown_for_the_first_reason() {
    LeasedAttempt attempt = begun();
    unansweredCalls = 10;
    Outcome outcome = attempt.commit();
    assertThat(lost).hasSize(3);
    assertThat(outcome).isEqualTo(new Outcome.CommitUnknown(lost.get(0)));
    assertThat(unanswered.ownerOf(KEY)).contains("first");
  }

  @Test
  void a_record_that_another_attempt_completed_is_not_taken_for_its_own() {
    LeasedAttempt attempt = begun();
    memory.letGo(KEY, "first");
    memory.takeOver(KEY, new AttemptInfo("worker-2", "m-2", 2, Duration.ofSeconds(30), warnings::add), "second",
        "first");
    assertThat(memory.complete(KEY, "second", LeaseStory.UNKNOWN)).isTrue();
    assertThat(attempt.commit()).isInstanceOf(Outcome.AlreadyDone.class);
    assertThat(warnings).hasSize(1);
  }
}
