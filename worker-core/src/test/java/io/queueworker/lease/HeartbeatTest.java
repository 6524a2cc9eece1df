package io.queueworker.lease;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.LossReason;
import io.queueworker.observe.WorkerEvent.ExtendSent;
import io.queueworker.observe.WorkerEvent.Extended;
import io.queueworker.observe.WorkerEvent.InternalError;
import io.queueworker.observe.WorkerEvent.LeaseLost;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which leases a tick has extended, in which calls, and which it ends. */
class HeartbeatTest {

  private final BeatsRig rig = new BeatsRig();

  @Test
  void a_lease_is_extended_at_half_its_visibility_timeout_and_not_before() {
    Lease lease = rig.lease("a");
    rig.beat(ofSeconds(15).minusNanos(1));
    assertThat(rig.extended()).isEmpty();

    rig.beat(ofSeconds(15));

    assertThat(rig.queue.calls).singleElement()
        .satisfies(
            call -> {
              assertThat(call.visibilities()).containsExactly(BeatsRig.VISIBILITY);
              assertThat(call.timeout()).isEqualTo(BeatsRig.TIMEOUT);
            });
    assertThat(rig.events)
        .containsExactly(new ExtendSent("a", 1, BeatsRig.VISIBILITY, false), new Extended("a", 1, ofSeconds(28)));
    assertThat(rig.left(lease)).isEqualTo(ofSeconds(28));
    rig.beat(ofSeconds(30).minusNanos(1));
    assertThat(rig.extended()).hasSize(1);
    rig.beat(ofSeconds(30));
    assertThat(rig.extended()).hasSize(2);
  }

  @Test
  void no_second_call_goes_out_while_one_is_under_way() {
    rig.lease("a");
    rig.tick(ofSeconds(15));
    rig.tick(ofSeconds(16));
    rig.run();
    assertThat(rig.extended()).hasSize(1);
  }

  @Test
  void what_is_due_goes_out_in_calls_of_ten() {
    rig.leases(25);
    rig.beat(ofSeconds(15));
    assertThat(rig.extended()).extracting(List::size).containsExactly(10, 10, 5);
    assertThat(rig.extended().stream().flatMap(List::stream)).doesNotHaveDuplicates().hasSize(25);
  }

  @Test
  void twenty_are_two_calls_and_no_empty_third() {
    rig.leases(20);
    rig.beat(ofSeconds(15));
    assertThat(rig.extended()).extracting(List::size).containsExactly(10, 10);
  }

  @Test
  void leases_that_are_due_within_a_quarter_of_the_timeout_join_a_call_that_goes_out_anyway() {
    rig.lease("due");
    rig.at(ofMillis(7_500));
    rig.lease("soon");
    rig.at(ofMillis(7_500).plusNanos(1));
    rig.lease("later");

    rig.beat(ofSeconds(15));

    assertThat(rig.extended()).containsExactly(List.of("due", "soon"));
    rig.beat(ofMillis(22_500).plusNanos(1));
    assertThat(rig.extended()).as("what joined is due again later").last().isEqualTo(List.of("later", "due", "soon"));
  }

  @Test
  void a_call_is_filled_up_to_ten_and_leases_that_are_due_soon_alone_set_off_none() {
    rig.lease("due");
    rig.at(ofSeconds(5));
    rig.leases(12);
    rig.beat(ofSeconds(15));
    assertThat(rig.extended()).singleElement().satisfies(call -> assertThat(call).hasSize(10).startsWith("due"));
    rig.beat(ofSeconds(20).minusNanos(1));
    assertThat(rig.extended()).hasSize(1);
    rig.beat(ofSeconds(20));
    assertThat(rig.extended()).hasSize(2).last().satisfies(call -> assertThat(call).contains("m9", "m10", "m11"));
  }

  @Test
  void ten_leases_near_their_end_get_calls_of_their_own_and_the_others_share() {
    rig.leases(12);
    rig.tick(ofSeconds(22));
    assertThat(rig.urgentPool.tasks).as("with a fifth of the timeout left").isEmpty();

    BeatsRig late = new BeatsRig();
    late.leases(12);
    late.tick(ofSeconds(22).plusNanos(1));
    assertThat(late.urgentPool.tasks).hasSize(10);
    assertThat(late.pool.tasks).hasSize(1);
    late.run();
    assertThat(late.extended()).extracting(List::size).containsOnly(1, 2).hasSize(11);
    assertThat(late.events).filteredOn(ExtendSent.class::isInstance).hasSize(12)
        .allSatisfy(event -> assertThat(((ExtendSent) event).urgent()).isTrue());
  }

  @Test
  void every_lease_is_looked_at_however_many_there_are() {
    rig.leases(2_500);
    rig.beat(ofSeconds(15));
    assertThat(rig.extended().stream().flatMap(List::stream)).doesNotHaveDuplicates().hasSize(2_500);
  }

  @Test
  void a_lease_that_was_not_extended_is_lost_at_its_deadline_told_once_and_forgotten() {
    Lease lease = rig.lease("a");
    List<LossReason> told = new ArrayList<>();
    lease.watch().onLoss(told::add);
    rig.tick(ofSeconds(15));
    rig.tick(ofSeconds(28).minusNanos(1));
    assertThat(told).isEmpty();

    rig.tick(ofSeconds(28));
    rig.tick(ofSeconds(29));

    assertThat(told).containsExactly(LossReason.EXPIRED);
    assertThat(rig.events).containsExactly(new LeaseLost("a", 1, LossReason.EXPIRED, ""));
    assertThat(rig.registry.size()).isZero();
  }

  @Test
  void what_is_done_at_every_tick_gets_its_time_and_costs_no_beat_when_it_fails() {
    List<Long> times = new ArrayList<>();
    rig.heartbeat.everyTick(
        now -> {
          throw new IllegalStateException("broken");
        });
    rig.heartbeat.everyTick(times::add);
    rig.lease("a");

    rig.beat(ofSeconds(15));

    assertThat(times).containsExactly(rig.clock.now);
    assertThat(rig.extended()).hasSize(1);
    assertThat(rig.events).filteredOn(InternalError.class::isInstance).singleElement()
        .satisfies(event -> assertThat(((InternalError) event).where()).isEqualTo("heartbeat"));
  }

  @Test
  void a_wish_for_more_goes_out_with_the_next_tick_and_one_for_less_does_not() {
    Lease lease = rig.lease("a");
    rig.at(ofSeconds(1));
    rig.heartbeat.extendTo(lease, rig.clock.now + ofSeconds(20).toNanos(), rig.clock.now);
    rig.beat(ofSeconds(2));
    assertThat(rig.extended()).isEmpty();

    rig.heartbeat.extendTo(lease, rig.clock.now + ofSeconds(100).toNanos(), rig.clock.now);
    rig.beat(ofSeconds(2));

    assertThat(rig.queue.calls).singleElement()
        .satisfies(call -> assertThat(call.visibilities()).containsExactly(ofSeconds(100)));
    assertThat(rig.left(lease)).isEqualTo(ofSeconds(98));
  }

  @Test
  void a_limit_that_begins_with_the_handler_is_kept_from_then_on() {
    Lease lease = rig.lease("a");
    rig.at(ofSeconds(1));
    lease.watch().started(rig.clock.now);
    rig.heartbeat.changed(lease);
    Duration overtime = Duration.ofHours(1).plusSeconds(1);
    for (Duration time = ofSeconds(15); time.compareTo(overtime) < 0; time = time.plusSeconds(1)) {
      rig.beat(time);
    }
    rig.beat(overtime.minusNanos(1));
    assertThat(rig.registry.all()).containsExactly(lease);
    rig.beat(overtime);
    assertThat(rig.events).endsWith(new LeaseLost("a", 1, LossReason.OVERTIME, ""));
  }

  @Test
  void the_users_condition_is_asked_beside_each_beat_and_ends_the_lease_when_it_turns_false() {
    Lease lease = rig.lease("a");
    Lease other = rig.lease("b");
    boolean[] keep = {true};
    int[] asked = new int[1];
    lease.watch().keepAliveWhile(
        () -> {
          asked[0]++;
          return keep[0];
        });
    rig.beat(ofSeconds(14));
    rig.questions.run();
    assertThat(asked[0]).as("no beat, no question").isZero();
    rig.beat(ofSeconds(15));
    rig.questions.run();
    assertThat(asked[0]).isEqualTo(1);
    assertThat(lease.state()).isEqualTo(LeaseState.HELD);

    keep[0] = false;
    rig.beat(ofSeconds(30));
    rig.questions.run();

    assertThat(asked[0]).isEqualTo(2);
    assertThat(rig.events).endsWith(new LeaseLost("a", 1, LossReason.GIVEN_UP, ""));
    assertThat(Set.copyOf(rig.registry.all())).containsExactly(other);
  }

  @Test
  void a_limit_that_ends_before_the_next_beat_is_kept_too() {
    Lease lease = rig.lease("a");
    rig.heartbeat.extendTo(lease, rig.clock.now + Duration.ofHours(3).toNanos(), rig.clock.now);
    rig.beat(ofSeconds(1));
    assertThat(rig.left(lease)).isGreaterThan(Duration.ofHours(2));
    lease.watch().started(rig.clock.now);
    rig.heartbeat.changed(lease);
    rig.beat(Duration.ofHours(1).plusSeconds(1));
    assertThat(rig.events).endsWith(new LeaseLost("a", 1, LossReason.OVERTIME, ""));
  }

  @Test
  void a_lease_that_makes_trouble_is_told_once_a_tick_and_costs_no_beat() {
    LeaseTerms terms = LeaseTerms.of(
        BeatsRig.VISIBILITY, Optional.empty(), Duration.ofHours(11), Duration.ofHours(1), Optional.empty(), true);
    boolean[] trouble = new boolean[1];
    rig.registry.schedule(new Lease(rig.lease("a").message(), () -> {
      if (trouble[0]) {
        throw new IllegalStateException("broken");
      }
      return terms;
    }, terms.visibility(), rig.clock.now, rig.clock.now));
    rig.lease("b");
    trouble[0] = true;

    rig.beat(ofSeconds(15));

    assertThat(rig.extended()).containsExactly(List.of("a", "b"));
    assertThat(rig.events).filteredOn(InternalError.class::isInstance).as("its own look, and a place in the call")
        .hasSize(2);
  }

  @Test
  void what_joins_a_call_is_asked_about_and_has_nothing_to_be_looked_at_for_until_it_is_answered() {
    rig.lease("due");
    rig.at(ofSeconds(5));
    Lease joins = rig.lease("joins");
    joins.watch().keepAliveWhile(() -> false);

    rig.tick(ofSeconds(15));

    assertThat(rig.registry.due(rig.clock.now + ofSeconds(10).toNanos(), 10)).isEmpty();
    rig.questions.run();
    assertThat(rig.events).containsExactly(new LeaseLost("joins", 1, LossReason.GIVEN_UP, ""));
  }

  @Test
  void a_lease_whose_delete_has_had_its_beats_is_forgotten_without_a_word() {
    Lease lease = rig.lease("a");
    lease.committed(rig.clock.now);
    rig.tick(ofSeconds(15));
    rig.tick(ofSeconds(28));
    assertThat(rig.registry.size()).isZero();
    assertThat(rig.events).isEmpty();
  }

  @Test
  void a_question_about_a_handler_that_ended_is_not_asked() {
    Lease lease = rig.lease("a");
    lease.watch().keepAliveWhile(() -> false);
    rig.tick(ofSeconds(15));
    rig.heartbeat.handlerEnded(lease);
    rig.questions.run();
    assertThat(rig.events).isEmpty();
    assertThat(lease.state()).isEqualTo(LeaseState.HELD);
  }
}
