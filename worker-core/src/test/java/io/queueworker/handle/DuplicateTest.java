package io.queueworker.handle;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.DuplicateCause;
import io.queueworker.DuplicateDiagnosis;
import io.queueworker.LossReason;
import io.queueworker.gate.Admission.Completion;
import io.queueworker.gate.LeaseStory;
import io.queueworker.gate.LeaseStory.Standing;
import io.queueworker.queue.Receipt;
import io.queueworker.queue.ReceivedMessage;
import io.queueworker.queue.RejectAttributes;
import io.queueworker.settle.Remembered;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Which cause follows from which facts, at the edges between them. */
class DuplicateTest {

  private static final Duration VISIBILITY = Duration.ofSeconds(30);
  private static final Duration AGE = Duration.ofSeconds(5);
  private static final LeaseStory HELD = new LeaseStory(Standing.HELD, VISIBILITY, Duration.ofSeconds(20));

  private static LeaseStory ended(Standing standing) {
    return new LeaseStory(standing, VISIBILITY, Duration.ZERO);
  }

  private static ReceivedMessage message(int receiveCount, Map<String, String> attributes) {
    return new ReceivedMessage(
        "m-2", new Receipt("r"), "body", attributes, receiveCount, Optional.of(Instant.EPOCH), Optional.empty(),
        Map.of());
  }

  private static Completion work(String messageId, int receiveCount, Optional<Duration> ago, LeaseStory lease) {
    return new Completion(
        "w1", messageId, receiveCount, Instant.EPOCH, Duration.ofSeconds(45), 1, ago, lease);
  }

  /** One that came at receive count 2, five seconds ago, and whose work was done at receive count 1. */
  private static DuplicateDiagnosis after(Duration untilThisReceive, LeaseStory lease) {
    return recorded(message(2, Map.of()), HELD, work("m-2", 1, Optional.of(untilThisReceive.plus(AGE)), lease));
  }

  private static DuplicateDiagnosis recorded(ReceivedMessage message, LeaseStory own, Completion by) {
    return new Duplicate("w2", message, AGE, own, false, Optional.of(by), Optional.empty()).diagnosis();
  }

  private static DuplicateDiagnosis remembered(Remembered work, Duration ago, boolean stoodStill) {
    return new Duplicate(
        "w2", message(2, Map.of()), AGE, HELD, false, Optional.empty(),
        Optional.of(new Duplicate.Memory(work, ago, stoodStill)))
        .diagnosis();
  }

  private static Remembered remembered(LeaseStory lease, boolean deleted, Optional<String> deleteFailed) {
    return new Remembered(1, Duration.ofSeconds(3), lease, 0, deleted, deleteFailed);
  }

  @ParameterizedTest
  @CsvSource({
    "NOT_EXTENDED, TIMEOUT_TOO_SHORT, its heartbeat is off",
    "BEATS_FAILED, BEATS_FAILED, no extension succeeded",
    "REFUSED, BEATS_FAILED, the service refused its receipt",
    "TAKEN_OVER, BEATS_FAILED, the gate's record was not renewed in time",
    "BEATS_DENIED, BEATS_DENIED, sqs:ChangeMessageVisibility",
    "STOOD_STILL, PROCESS_FROZEN, its process stood still",
    "OVERTIME, GIVEN_UP, maxProcessingTime",
    "STALLED, GIVEN_UP, stallTimeout",
    "GIVEN_UP, GIVEN_UP, keepAliveWhile",
    "MAX_HOLD, GIVEN_UP, maxHold",
    "CLOSED, WORKER_CLOSED, the worker closed before that",
    "UNKNOWN, UNKNOWN, does not tell how its lease stood"})
  void a_lease_that_had_ended_when_the_work_was_done_is_the_cause(
      Standing standing, DuplicateCause cause, String words) {
    DuplicateDiagnosis said = after(Duration.ofSeconds(1), ended(standing));

    assertThat(said.cause()).isEqualTo(cause);
    assertThat(said.facts()).startsWith("Worker w1 ").contains("45 s").contains(words.replace("  ", " "));
    assertThat(said.text()).endsWith(cause.advice());
  }

  @ParameterizedTest
  @CsvSource({
    "-1, SERVICE_DUPLICATE", "0, SERVICE_DUPLICATE", "19, SERVICE_DUPLICATE", "20, PROCESS_DIED", "599, PROCESS_DIED",
    "600, DELETE_FAILED", "6000, DELETE_FAILED"})
  void with_the_lease_held_the_time_until_it_came_again_tells(int seconds, DuplicateCause cause) {
    assertThat(after(Duration.ofSeconds(seconds), HELD).cause()).isEqualTo(cause);
  }

  @Test
  void what_is_only_likely_is_said_to_be() {
    assertThat(after(Duration.ofSeconds(25), HELD).facts()).contains("Most likely").contains("25 s after that");
    assertThat(after(Duration.ofMinutes(11), HELD).facts()).contains("Most likely").contains("waited in the queue");
    assertThat(after(Duration.ofSeconds(2), HELD).facts()).contains("unless that worker gave it back");
    assertThat(after(Duration.ofSeconds(-2), HELD).facts()).contains("while the work went on").doesNotContain("unless");
  }

  @Test
  void without_the_time_of_the_completion_a_held_lease_tells_nothing() {
    DuplicateDiagnosis said = recorded(message(2, Map.of()), HELD, work("m-2", 1, Optional.empty(), HELD));

    assertThat(said.cause()).isEqualTo(DuplicateCause.UNKNOWN);
  }

  @Test
  void another_message_id_is_a_redrive_only_if_the_message_says_that_it_had_the_one_in_the_record() {
    Completion other = work("m-1", 1, Optional.of(Duration.ofSeconds(65)), HELD);
    Map<String, String> had = Map.of(RejectAttributes.ORIGINAL_MESSAGE_ID, "m-1");
    Map<String, String> hadAnother = Map.of(RejectAttributes.ORIGINAL_MESSAGE_ID, "m-0");

    assertThat(recorded(message(1, had), HELD, other).cause()).isEqualTo(DuplicateCause.REDRIVEN);
    assertThat(recorded(message(1, hadAnother), HELD, other).cause()).isEqualTo(DuplicateCause.PRODUCER_DUPLICATE);
    assertThat(recorded(message(1, Map.of()), HELD, other).facts())
        .contains("another message, m-1, 1 min before this one came").contains("sent at 1970-01-01T00:00:00Z");
  }

  @Test
  void an_earlier_receive_that_finds_a_later_one_done_looks_at_its_own_lease() {
    Completion later = work("m-2", 3, Optional.of(Duration.ofSeconds(1)), HELD);

    DuplicateDiagnosis lost = recorded(message(2, Map.of()), ended(Standing.STOOD_STILL), later);
    assertThat(lost.cause()).isEqualTo(DuplicateCause.PROCESS_FROZEN);
    assertThat(lost.facts()).startsWith("This worker took 5 s").contains("Worker w1 had it at receive count 3");
    assertThat(recorded(message(2, Map.of()), HELD, later).cause()).isEqualTo(DuplicateCause.SERVICE_DUPLICATE);
  }

  @Test
  void the_record_of_this_same_receive_is_the_answer_to_a_commit() {
    Duplicate same =
        new Duplicate(
            "w1", message(2, Map.of()), AGE, HELD, true, Optional.of(work("m-2", 2, Optional.empty(), HELD)),
            Optional.empty());

    assertThat(same.diagnosis().cause()).isEqualTo(DuplicateCause.COMMIT_UNANSWERED);
    assertThat(same.diagnosis().facts()).startsWith("This worker").contains("sent and not answered");
    // Receive counts are approximate: another worker's record with the same count is not this receive's.
    assertThat(recorded(message(2, Map.of()), HELD, work("m-2", 2, Optional.of(Duration.ZERO), HELD)).cause())
        .isEqualTo(DuplicateCause.SERVICE_DUPLICATE);
  }

  @Test
  void what_this_worker_remembers_tells_of_its_own_deletes() {
    Duration ago = Duration.ofSeconds(40);
    DuplicateDiagnosis failed = remembered(remembered(HELD, false, Optional.of("throttled")), ago, false);

    assertThat(failed.cause()).isEqualTo(DuplicateCause.DELETE_FAILED);
    assertThat(failed.facts()).contains("(throttled)").contains("35 s after that");
    assertThat(remembered(remembered(HELD, true, Optional.of("throttled")), ago, false).cause())
        .isEqualTo(DuplicateCause.SERVICE_DUPLICATE);
    assertThat(remembered(remembered(HELD, false, Optional.empty()), Duration.ofSeconds(24), false).cause())
        .as("while it was held").isEqualTo(DuplicateCause.SERVICE_DUPLICATE);
    assertThat(remembered(remembered(HELD, false, Optional.empty()), ago, true).cause())
        .isEqualTo(DuplicateCause.PROCESS_FROZEN);
    assertThat(remembered(remembered(HELD, false, Optional.empty()), ago, false).facts())
        .contains("its delete is not answered yet");
    assertThat(remembered(remembered(ended(Standing.NOT_EXTENDED), false, Optional.empty()), ago, false).cause())
        .isEqualTo(DuplicateCause.TIMEOUT_TOO_SHORT);
  }

  @Test
  void a_receive_that_a_standstill_cut_through_counts_from_its_start_and_does_not_prove_that_the_message_was_held() {
    Duration ago = AGE.plusMillis(50);
    DuplicateDiagnosis frozen = remembered(remembered(HELD, false, Optional.empty()), ago, true);

    assertThat(frozen.cause()).isEqualTo(DuplicateCause.PROCESS_FROZEN);
    assertThat(frozen.facts()).contains("its process stood still between the commit and the delete");
    assertThat(remembered(remembered(HELD, false, Optional.of("timed out")), ago, true).cause())
        .as("a delete that the standstill cut off").isEqualTo(DuplicateCause.PROCESS_FROZEN);
    assertThat(remembered(remembered(HELD, true, Optional.empty()), ago, true).cause())
        .as("deleted all the same").isEqualTo(DuplicateCause.SERVICE_DUPLICATE);
    assertThat(remembered(remembered(HELD, false, Optional.empty()), ago, false).cause())
        .as("without a standstill").isEqualTo(DuplicateCause.SERVICE_DUPLICATE);
  }

  @ParameterizedTest
  @CsvSource({"-2, SERVICE_DUPLICATE", "19, SERVICE_DUPLICATE", "20, DELETE_FAILED"})
  void a_delete_that_failed_does_not_explain_a_message_that_came_while_it_was_held(int seconds, DuplicateCause cause) {
    Remembered work = remembered(HELD, false, Optional.of("throttled"));

    assertThat(remembered(work, AGE.plusSeconds(seconds), false).cause()).isEqualTo(cause);
  }

  @Test
  void nothing_known_is_said_to_be_unknown() {
    DuplicateDiagnosis said =
        new Duplicate("w2", message(2, Map.of()), AGE, HELD, false, Optional.empty(), Optional.empty()).diagnosis();

    assertThat(said.cause()).isEqualTo(DuplicateCause.UNKNOWN);
    assertThat(said).hasToString("UNKNOWN");
  }

  @ParameterizedTest
  @EnumSource(LossReason.class)
  void every_loss_has_a_standing_that_names_a_cause(LossReason reason) {
    assertThat(after(Duration.ofSeconds(1), ended(Standing.of(reason))).cause()).isNotEqualTo(DuplicateCause.UNKNOWN);
  }
}
