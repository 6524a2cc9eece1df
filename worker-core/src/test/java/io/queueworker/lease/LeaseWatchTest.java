package io.queueworker.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.LossReason;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When a handler has run for too long, at times across the overflow of a monotonic clock. */
class LeaseWatchTest {

  private static final LeaseTerms TERMS = new LeaseTerms(30, 1_000, 900, 100, 20, true);
  private static final long T = Math.subtractExact(Long.MAX_VALUE, 10);

  private final LeaseWatch watch = new LeaseWatch();

  @Test
  void nothing_is_over_before_the_handler_runs_and_after_it_ended() {
    assertThat(watch.over(T + 500, TERMS)).isEmpty();
    assertThat(watch.limit(TERMS, T + 500)).isEqualTo(T + 500);
    watch.started(T);
    watch.ended();
    assertThat(watch.over(T + 500, TERMS)).isEmpty();
    assertThat(watch.limit(TERMS, T + 500)).isEqualTo(T + 500);
  }

  @Test
  void a_handler_without_progress_stalls_and_each_step_gives_it_as_long_again() {
    watch.started(T);
    assertThat(watch.limit(TERMS, T + 500)).isEqualTo(T + 20);
    assertThat(watch.over(T + 19, TERMS)).isEmpty();
    assertThat(watch.over(T + 20, TERMS)).contains(LossReason.STALLED);
    watch.progressed(T + 15);
    assertThat(watch.over(T + 34, TERMS)).isEmpty();
    assertThat(watch.over(T + 35, TERMS)).contains(LossReason.STALLED);
    assertThat(watch.limit(TERMS, T + 500)).isEqualTo(T + 35);
    assertThat(watch.limit(TERMS, T + 30)).as("something else is earlier").isEqualTo(T + 30);
  }

  @Test
  void a_handler_that_moves_on_is_over_at_the_end_of_its_time() {
    watch.started(T);
    watch.progressed(T + 90);
    assertThat(watch.limit(TERMS, T + 500)).isEqualTo(T + 100);
    assertThat(watch.over(T + 99, TERMS)).isEmpty();
    assertThat(watch.over(T + 100, TERMS)).contains(LossReason.OVERTIME);
  }

  @Test
  void progress_is_not_asked_for_while_the_gate_admits_and_the_time_goes_on() {
    watch.started(T);
    watch.atGate();
    assertThat(watch.over(T + 99, TERMS)).isEmpty();
    assertThat(watch.limit(TERMS, T + 500)).isEqualTo(T + 100);
    assertThat(watch.over(T + 100, TERMS)).contains(LossReason.OVERTIME);
    watch.userCode(T + 60);
    assertThat(watch.limit(TERMS, T + 500)).isEqualTo(T + 80);
    assertThat(watch.over(T + 79, TERMS)).isEmpty();
    assertThat(watch.over(T + 80, TERMS)).contains(LossReason.STALLED);
    assertThat(watch.over(T + 100, TERMS)).contains(LossReason.OVERTIME);
  }

  @Test
  void a_loss_is_told_to_whoever_asked_for_it() {
    watch.lost(LossReason.CLOSED);
    List<LossReason> told = new ArrayList<>();
    watch.onLoss(told::add);
    watch.lost(LossReason.EXPIRED);
    assertThat(told).containsExactly(LossReason.EXPIRED);
  }
}
