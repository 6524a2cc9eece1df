package io.queueworker.examples.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Which messages of a killed worker count, and from when until when, on reports alone. */
class RecoveryTest {

  private static final Kill KILL = new Kill("w1", seconds(10), Optional.empty(), false);

  @Test
  void the_time_runs_from_the_kill_to_the_next_start_elsewhere() {
    Recovery recovery =
        Recovery.of(
            List.of(
                report(8, "w1", Step.RECEIVED, "a", 1),
                report(8, "w1", Step.STARTED, "a", 0),
                report(13, "w2", Step.RECEIVED, "a", 2),
                report(14, "w2", Step.STARTED, "a", 0)),
            List.of(KILL));

    assertThat(recovery).isEqualTo(new Recovery(1, 0, List.of(4.0), List.of()));
    assertThat(recovery.toJson()).hasToString("{\"messages\":1,\"p50\":4.0,\"p90\":4.0,\"max\":4.0}");
  }

  @Test
  void a_committed_message_is_back_when_it_is_recognised_as_done() {
    Recovery recovery =
        Recovery.of(
            List.of(
                report(8, "w1", Step.RECEIVED, "a", 3),
                report(9, "w1", Step.COMMITTED, "a", 0),
                report(9, "w1", Step.EXTENDING, "a", 0),
                report(12, "w2", Step.RECEIVED, "a", 4),
                report(12, "w2", Step.SUPPRESSED, "a", 0)),
            List.of(KILL));

    assertThat(recovery).isEqualTo(new Recovery(1, 1, List.of(2.0), List.of()));
  }

  @Test
  void a_message_whose_next_receive_was_lost_as_well_is_counted_apart() {
    Recovery recovery =
        Recovery.of(
            List.of(
                report(8, "w1", Step.RECEIVED, "a", 1),
                report(18, "w2", Step.RECEIVED, "a", 3),
                report(18, "w2", Step.STARTED, "a", 0)),
            List.of(KILL));

    assertThat(recovery).isEqualTo(new Recovery(1, 0, List.of(), List.of(8.0)));
  }

  @Test
  void what_the_killed_worker_did_not_have_any_more_does_not_count() {
    Recovery recovery =
        Recovery.of(
            List.of(
                report(1, "w1", Step.RECEIVED, "deleted", 1),
                report(2, "w1", Step.DELETED, "deleted", 0),
                report(1, "w1", Step.RECEIVED, "lost", 1),
                report(5, "w1", Step.LOST, "lost", 0),
                report(1, "w1", Step.RECEIVED, "taken", 1),
                report(7, "w2", Step.RECEIVED, "taken", 2),
                report(11, "w2", Step.STARTED, "taken", 0)),
            List.of(KILL));

    assertThat(recovery).isEqualTo(new Recovery(0, 0, List.of(), List.of()));
    assertThat(recovery.toJson()).hasToString("{\"messages\":0}");
  }

  private static Report report(long second, String worker, Step step, String message, long number) {
    return new Report(worker, step, message, number, seconds(second));
  }

  private static long seconds(long seconds) {
    return TimeUnit.SECONDS.toNanos(seconds);
  }
}
