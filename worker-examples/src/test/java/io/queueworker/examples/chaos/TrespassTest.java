package io.queueworker.examples.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.examples.chaos.Trespass.Verdict;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What can be told about a late call, on reports alone. Its lease ended at second 10. */
class TrespassTest {

  private static final Report RECEIVED = report(4, Step.RECEIVED, 2);
  private static final Freeze FREEZE = new Freeze("w1", seconds(9), seconds(15), Optional.empty());

  @Test
  void an_extension_that_was_reported_while_held_cannot_be_recalled() {
    assertThat(late(true).verdict(List.of(RECEIVED, report(8, Step.EXTENDING, 0)), List.of(FREEZE)))
        .isEqualTo(Verdict.DECIDED_WHILE_HELD);
  }

  @Test
  void an_extension_that_was_reported_later_is_unexplained_unless_the_worker_stood_still() {
    List<Report> reports = List.of(RECEIVED, report(8, Step.EXTENDING, 0), report(15, Step.EXTENDING, 0));

    assertThat(late(true).verdict(reports, List.of())).isEqualTo(Verdict.UNEXPLAINED);
    assertThat(late(true).verdict(reports, List.of(FREEZE))).isEqualTo(Verdict.AROUND_A_FREEZE);
  }

  @Test
  void a_freeze_of_another_worker_or_at_another_time_explains_nothing() {
    Freeze others = new Freeze("w2", seconds(9), seconds(15), Optional.empty());
    Freeze after = new Freeze("w1", seconds(11), seconds(15), Optional.empty());
    Freeze longAgo = new Freeze("w1", seconds(1), seconds(7), Optional.empty());

    assertThat(late(true).verdict(List.of(RECEIVED), List.of(others, after, longAgo))).isEqualTo(Verdict.UNEXPLAINED);
  }

  @Test
  void a_release_is_explained_by_a_freeze_alone() {
    List<Report> reports = List.of(RECEIVED, report(8, Step.EXTENDING, 0));

    assertThat(late(false).verdict(reports, List.of())).isEqualTo(Verdict.UNEXPLAINED);
    assertThat(late(false).verdict(reports, List.of(FREEZE))).isEqualTo(Verdict.AROUND_A_FREEZE);
  }

  private static Trespass late(boolean extension) {
    return new Trespass("a", 2, extension, seconds(15), seconds(10));
  }

  private static Report report(long second, Step step, long number) {
    return new Report("w1", step, "a", number, seconds(second));
  }

  private static long seconds(long seconds) {
    return TimeUnit.SECONDS.toNanos(seconds);
  }
}
