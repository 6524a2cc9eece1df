package io.queueworker.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.LossReason;
import io.queueworker.gate.LeaseStory;
import io.queueworker.gate.LeaseStory.Standing;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When beats are due and for how long, at times on both sides of the overflow of a monotonic clock. */
class BeatScheduleTest {

  private static final LeaseTerms TERMS = terms(30);

  private static LeaseTerms terms(long visibility) {
    return LeaseTerms.of(
        Duration.ofSeconds(visibility),
        Optional.of(Duration.ofHours(12)),
        Duration.ofHours(11),
        Duration.ofHours(1),
        Optional.empty(),
        true);
  }

  private static long seconds(double s) {
    return (long) (s * 1_000_000_000L);
  }

  private static BeatSchedule received(long t, LeaseTerms terms) {
    return new BeatSchedule(t, t, terms.visibility(), terms);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, Long.MAX_VALUE - 20_000_000_000L, Long.MIN_VALUE})
  void a_beat_is_due_at_half_the_visibility_timeout_and_counts_from_when_it_was_sent(long t) {
    BeatSchedule schedule = received(t, TERMS);
    assertThat(schedule.due(t + seconds(14.9), 0, TERMS)).isZero();
    assertThat(schedule.due(t + seconds(15), 0, TERMS)).isEqualTo(seconds(30));
    assertThat(schedule.remaining(t + seconds(15))).isEqualTo(seconds(13));
    assertThat(schedule.age(t + seconds(15))).isEqualTo(seconds(15));
    schedule.extended(t + seconds(15), seconds(30), TERMS);
    assertThat(schedule.remaining(t + seconds(16))).isEqualTo(seconds(27));
    assertThat(schedule.nextBeat()).isEqualTo(t + seconds(30));
    assertThat(schedule.passed(t + seconds(42.9))).isFalse();
    assertThat(schedule.passed(t + seconds(43))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, Long.MAX_VALUE - 20_000_000_000L})
  void after_a_shorter_visibility_timeout_beats_go_on_once_the_longer_one_has_run_down(long t) {
    BeatSchedule schedule = received(t, terms(600));
    assertThat(schedule.due(t + seconds(300), 0, TERMS)).isZero();
    long next = schedule.nextBeat();
    assertThat(next - t).isBetween(seconds(560), seconds(590));
    assertThat(schedule.due(next, 0, TERMS)).isEqualTo(seconds(30));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, Long.MAX_VALUE - 20_000_000_000L})
  void a_beat_that_would_keep_the_message_not_a_nanosecond_longer_is_not_sent(long t) {
    long end = t + seconds(598);
    assertThat(received(t, terms(600)).due(end - seconds(28), 0, TERMS)).isZero();
    assertThat(received(t, terms(600)).due(end - seconds(28) + 1, 0, TERMS)).isEqualTo(seconds(30));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, Long.MAX_VALUE - 3_000_000_000L})
  void the_first_beat_of_a_receive_that_asked_for_less_is_due_at_half_of_that(long t) {
    BeatSchedule schedule = new BeatSchedule(t, t, seconds(10), TERMS);
    assertThat(schedule.nextBeat()).isEqualTo(t + seconds(5));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, Long.MAX_VALUE - 20_000_000_000L})
  void a_wish_counts_when_it_goes_beyond_the_deadline_and_the_longest_one_stays(long t) {
    BeatSchedule schedule = received(t, TERMS);
    assertThat(schedule.want(t + seconds(28), t)).as("until the deadline").isFalse();
    assertThat(schedule.nextBeat()).isEqualTo(t + seconds(15));
    assertThat(schedule.want(t + seconds(100), t)).isTrue();
    assertThat(schedule.want(t + seconds(60), t)).isTrue();
    assertThat(schedule.due(t, 0, TERMS)).isEqualTo(seconds(100));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, Long.MAX_VALUE - 20_000_000_000L})
  void an_answer_that_comes_after_the_terms_grew_is_followed_by_a_beat_in_time(long t) {
    BeatSchedule schedule = received(t, TERMS);
    schedule.extended(t + seconds(15), seconds(30), terms(600));
    assertThat(schedule.nextBeat()).isEqualTo(t + seconds(30));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, Long.MAX_VALUE - 20_000_000_000L})
  void after_a_wish_for_more_the_next_beat_waits_until_it_would_not_shorten_the_lease(long t) {
    BeatSchedule schedule = received(t, TERMS);
    schedule.extended(t, seconds(100), TERMS);
    assertThat(schedule.nextBeat()).isEqualTo(t + seconds(85));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, Long.MAX_VALUE - 20_000_000_000L})
  void near_the_cap_beats_ask_for_what_it_leaves_and_end_after_a_few(long t) {
    BeatSchedule schedule = received(t, TERMS);
    LeaseTerms hold = new LeaseTerms(seconds(30), seconds(40), seconds(1_000), seconds(500), LeaseTerms.NEVER, true);
    int beats = 0;
    long now = t;
    for (; !schedule.passed(now); now += seconds(0.25)) {
      long value = schedule.due(now, 0, hold);
      if (value > 0) {
        beats++;
        assertThat(now + value - t).isLessThanOrEqualTo(seconds(35)); // the cap less five seconds
        schedule.extended(now, value, hold);
      }
    }
    assertThat(now - t).isBetween(seconds(33), seconds(35));
    assertThat(beats).isBetween(1, 5);
    assertThat(schedule.nextBeat() - now).as("nothing to gain any more").isGreaterThan(seconds(1_000_000));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, Long.MAX_VALUE - 20_000_000_000L})
  void failed_beats_come_sooner_the_closer_the_end_is(long t) {
    BeatSchedule schedule = received(t, TERMS);
    schedule.failed(t + seconds(4), false);
    assertThat(schedule.nextBeat()).isEqualTo(t + seconds(6));
    schedule.failed(t + seconds(20), false);
    assertThat(schedule.nextBeat()).isEqualTo(t + seconds(21));
    schedule.failed(t + seconds(27.9), false);
    assertThat(schedule.nextBeat()).isEqualTo(t + seconds(28));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, Long.MAX_VALUE - 20_000_000_000L, Long.MIN_VALUE})
  void how_it_stands_is_told_with_the_visibility_relied_on_and_what_is_left(long t) {
    BeatSchedule schedule = received(t, TERMS);
    assertThat(schedule.story(t + seconds(10), Optional.empty(), true, false))
        .isEqualTo(new LeaseStory(Standing.HELD, Duration.ofSeconds(30), Duration.ofSeconds(18)));
    schedule.extended(t + seconds(15), seconds(60), TERMS);
    assertThat(schedule.story(t + seconds(15), Optional.empty(), true, true))
        .isEqualTo(new LeaseStory(Standing.HELD, Duration.ofSeconds(60), Duration.ofSeconds(58)));
  }

  @Test
  void what_ended_it_is_told_also_before_the_loss_is_noticed() {
    BeatSchedule schedule = received(0, TERMS);
    long passed = seconds(28);
    assertThat(standing(schedule, passed, true, false)).isEqualTo(Standing.BEATS_FAILED);
    assertThat(standing(schedule, passed, true, true)).isEqualTo(Standing.STOOD_STILL);
    assertThat(standing(schedule, passed, false, false)).isEqualTo(Standing.NOT_EXTENDED);
    schedule.failed(seconds(16), true);
    assertThat(standing(schedule, passed, true, false)).isEqualTo(Standing.BEATS_DENIED);
    schedule.failed(seconds(17), false);
    assertThat(standing(schedule, passed, true, false)).as("the last one decides").isEqualTo(Standing.BEATS_FAILED);
    schedule.failed(seconds(18), true);
    schedule.extended(seconds(19), seconds(30), TERMS);
    assertThat(standing(schedule, seconds(47), true, false)).isEqualTo(Standing.BEATS_FAILED);
  }

  @ParameterizedTest
  @EnumSource(value = LossReason.class, names = "EXPIRED", mode = EnumSource.Mode.EXCLUDE)
  void a_loss_for_another_reason_is_told_as_that_though_time_is_left(LossReason reason) {
    LeaseStory story = received(0, TERMS).story(seconds(10), Optional.of(reason), true, true);
    assertThat(story)
        .isEqualTo(new LeaseStory(Standing.valueOf(reason.name()), Duration.ofSeconds(30), Duration.ZERO));
  }

  private static Standing standing(BeatSchedule schedule, long now, boolean beats, boolean stoodStill) {
    return schedule.story(now, Optional.empty(), beats, stoodStill).standing();
  }
}
