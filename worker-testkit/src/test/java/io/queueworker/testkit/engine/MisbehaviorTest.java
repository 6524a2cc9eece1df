package io.queueworker.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queueworker.queue.MessageCounts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a standard queue may do and seldom does: duplicates, disorder, partial answers, redeliveries after a delete. */
class MisbehaviorTest {

  @Test
  void a_message_may_be_handed_out_twice_while_it_is_in_flight_and_both_hold_it() {
    Bench queue = Bench.standard();
    queue.engine.settings().duplicates(1);
    queue.send("x");
    HandedOut first = queue.one();
    long duplicateAt = queue.engine.nextChange(queue.now).orElseThrow();
    assertThat(duplicateAt).isLessThan(Duration.ofSeconds(30).toNanos());
    queue.now = duplicateAt;
    HandedOut second = queue.one();
    assertThat(second.id()).isEqualTo(first.id());
    assertThat(second.receiveCount()).isEqualTo(2);
    assertThat(queue.holds(first)).isTrue();
    assertThat(queue.holds(second)).isTrue();
    assertThat(queue.engine.counts(queue.now)).isEqualTo(new MessageCounts(0, 1, 0));
  }

  @Test
  void what_one_of_two_holders_changes_does_not_end_the_time_of_the_other() {
    Bench queue = Bench.standard();
    queue.engine.settings().duplicates(1);
    queue.send("x");
    HandedOut first = queue.one();
    queue.now = queue.engine.nextChange(queue.now).orElseThrow();
    HandedOut second = queue.one();
    queue.engine.settings().duplicates(0);
    Bench.assertDone(queue.change(second, 0));
    assertThat(queue.holds(first)).isTrue();
    assertThat(queue.holds(second)).isFalse();
    queue.passSeconds(30);
    assertThat(queue.holds(first)).isFalse();
    assertThat(queue.visible()).containsExactly("x");
  }

  @Test
  void a_delete_by_one_of_two_holders_deletes_for_both() {
    Bench queue = Bench.standard();
    queue.engine.settings().duplicates(1);
    queue.send("x");
    HandedOut first = queue.one();
    queue.now = queue.engine.nextChange(queue.now).orElseThrow();
    HandedOut second = queue.one();
    Bench.assertDone(queue.delete(first));
    Bench.assertGone(queue.change(second, 30), second);
    Bench.assertWithoutEffect(queue.delete(second));
  }

  @Test
  void a_duplicate_is_never_moved_to_the_dead_letter_queue_while_it_is_held() {
    Bench queue = Bench.standard();
    QueueEngine dead = queue.engine.sibling("dead");
    queue.engine.settings().duplicates(1).redrive(1, dead);
    queue.send("x");
    HandedOut first = queue.one();
    queue.now = queue.engine.nextChange(queue.now).orElseThrow();
    assertThat(queue.take(10)).isEmpty();
    assertThat(queue.holds(first)).isTrue();
    assertThat(dead.list(queue.now)).isEmpty();
  }

  @Test
  void a_message_may_come_again_after_a_delete_that_was_answered_well() {
    Bench queue = Bench.standard();
    queue.engine.settings().redeliveriesAfterDelete(1);
    String id = queue.send("x");
    HandedOut message = queue.one();
    Bench.assertDone(queue.delete(message));
    assertThat(queue.engine.deleted()).containsExactly(id);
    Bench.assertGone(queue.change(message, 30), message);
    Bench.assertWithoutEffect(queue.delete(message));
    queue.pass(Duration.ofMinutes(2));
    HandedOut again = queue.one();
    assertThat(again.id()).isEqualTo(id);
    assertThat(again.receiveCount()).isEqualTo(2);
    queue.engine.settings().redeliveriesAfterDelete(0);
    Bench.assertDone(queue.delete(again));
    assertThat(queue.engine.list(queue.now)).isEmpty();
    assertThat(queue.engine.deleted()).containsExactly(id, id);
  }

  @Test
  void what_comes_again_after_a_delete_is_hidden_as_long_as_its_new_receive_says() {
    Bench queue = Bench.standard();
    queue.engine.settings().redeliveriesAfterDelete(1);
    queue.send("x");
    HandedOut deleted = queue.take(1, Duration.ofHours(1)).get(0);
    queue.delete(deleted);
    queue.pass(Duration.ofMinutes(2));
    HandedOut again = queue.take(1, Duration.ofSeconds(10)).get(0);
    queue.passSeconds(10);
    assertThat(queue.visible()).containsExactly("x");
    assertThat(queue.engine.describe(again.receipt(), queue.now).inTime()).isFalse();
  }

  @Test
  void who_deleted_what_comes_again_is_in_time_until_its_own_timeout() {
    Bench queue = Bench.standard();
    queue.engine.settings().redeliveriesAfterDelete(1);
    queue.send("x");
    HandedOut deleted = queue.take(1, Duration.ofMinutes(10)).get(0);
    queue.delete(deleted);
    queue.pass(Duration.ofMinutes(2));
    queue.one();
    queue.pass(Duration.ofMinutes(8).minusNanos(1));
    assertThat(queue.engine.describe(deleted.receipt(), queue.now))
        .isEqualTo(new ReceiptState(deleted.id(), 1, false, true));
    queue.pass(Duration.ofNanos(1));
    assertThat(queue.engine.describe(deleted.receipt(), queue.now).inTime()).isFalse();
  }

  @Test
  void what_comes_again_after_a_delete_comes_as_a_redelivery_and_not_as_a_duplicate() {
    for (int seed = 0; seed < 10; seed++) {
      Bench queue = Bench.standard(seed);
      queue.engine.settings().duplicates(1).redeliveriesAfterDelete(1);
      queue.send("x");
      queue.delete(queue.one());
      queue.now = queue.engine.nextChange(queue.now).orElseThrow();
      assertThat(queue.visible()).containsExactly("x");
    }
  }

  @Test
  void a_fifo_queue_neither_duplicates_nor_redelivers_after_a_delete() {
    Bench queue = Bench.fifo();
    queue.engine.settings().duplicates(1).redeliveriesAfterDelete(1);
    queue.send("x", "g");
    HandedOut message = queue.one();
    queue.pass(Duration.ofSeconds(30).minusNanos(1));
    assertThat(queue.take(10)).isEmpty();
    queue.delete(message);
    queue.pass(Duration.ofMinutes(3));
    assertThat(queue.take(10)).isEmpty();
  }

  @Test
  void a_receive_may_bring_fewer_than_it_could_and_at_least_one() {
    Set<Integer> sizes = new HashSet<>();
    for (int seed = 0; seed < 50; seed++) {
      Bench queue = Bench.standard(seed);
      queue.engine.settings().partialReceives(1);
      for (int i = 0; i < 4; i++) {
        queue.send("x");
      }
      sizes.add(queue.take(4).size());
    }
    assertThat(sizes).containsExactlyInAnyOrder(1, 2, 3);
  }

  @Test
  void a_partial_receive_of_a_fifo_queue_brings_the_front_of_the_slice() {
    for (int seed = 0; seed < 20; seed++) {
      Bench queue = Bench.fifo(seed);
      queue.engine.settings().partialReceives(1);
      List.of("m1", "m2", "m3").forEach(body -> queue.send(body, "g"));
      List<String> bodies = queue.bodies(3);
      assertThat(List.of("m1", "m2", "m3").subList(0, bodies.size())).isEqualTo(bodies);
    }
  }

  @Test
  void the_order_is_drawn_from_the_seed_when_asked_to() {
    Set<List<String>> orders = new HashSet<>();
    for (int seed = 0; seed < 20; seed++) {
      Bench queue = Bench.standard(seed);
      queue.engine.settings().anyOrder(true);
      List.of("a", "b", "c").forEach(queue::send);
      orders.add(queue.bodies(3));
    }
    assertThat(orders).hasSizeGreaterThan(2);
  }

  @Test
  void the_same_seed_gives_the_same_history_and_other_seeds_others() {
    assertThat(history(7)).isEqualTo(history(7));
    Set<List<String>> histories = new HashSet<>();
    for (long seed = 0; seed < 10; seed++) {
      histories.add(history(seed));
    }
    assertThat(histories).hasSizeGreaterThan(5);
  }

  private static List<String> history(long seed) {
    Bench queue = Bench.standard(seed);
    queue.engine
        .settings()
        .anyOrder(true)
        .duplicates(0.3)
        .partialReceives(0.3)
        .redeliveriesAfterDelete(0.2);
    List<String> history = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      queue.send("x" + i);
    }
    for (int i = 0; i < 60; i++) {
      for (HandedOut message : queue.take(5)) {
        history.add(message.body() + "/" + message.receiveCount() + "/" + message.receipt());
        queue.delete(message);
      }
      queue.passSeconds(5);
    }
    return history;
  }

  @Test
  void a_share_is_from_zero_to_one() {
    QueueSettings settings = Bench.standard().engine.settings();
    assertThatThrownBy(() -> settings.duplicates(1.1)).hasMessage("duplicates = 1.1: give a share from 0 to 1");
    assertThatThrownBy(() -> settings.partialReceives(Double.NaN)).hasMessageContaining("give a share");
  }
}
