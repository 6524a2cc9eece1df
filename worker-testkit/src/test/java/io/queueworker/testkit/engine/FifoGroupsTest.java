package io.queueworker.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The order that a FIFO queue keeps inside message groups; the five cases recorded from the real service first (docs/queue-facts.md A3). */
class FifoGroupsTest {

  private final Bench queue = Bench.fifo();

  /** Sends m1, m2, … to one group and receives the first {@code received} of them. */
  private List<HandedOut> slice(int sent, int received) {
    for (int i = 1; i <= sent; i++) {
      queue.send("m" + i, "g");
    }
    List<HandedOut> slice = queue.take(received);
    assertThat(slice).hasSize(received);
    return slice;
  }

  @Test
  void recorded_1_a_partial_delete_leaves_the_group_blocked() {
    List<HandedOut> slice = slice(3, 2);
    queue.delete(slice.get(0));
    assertThat(queue.bodies(10)).isEmpty();
  }

  @Test
  void recorded_2_when_everything_in_flight_is_deleted_the_group_is_free_at_once() {
    List<HandedOut> slice = slice(3, 2);
    slice.forEach(queue::delete);
    assertThat(queue.bodies(10)).containsExactly("m3");
  }

  @Test
  void recorded_3_a_released_head_comes_back_alone_while_its_follower_is_in_flight() {
    List<HandedOut> slice = slice(3, 2);
    queue.change(slice.get(0), 0);
    assertThat(queue.bodies(10)).containsExactly("m1");
  }

  @Test
  void recorded_4_a_message_is_deliverable_when_no_earlier_one_of_its_group_is_invisible() {
    assertThat(afterExtending(0)).isEmpty();
    assertThat(afterExtending(1)).containsExactly("m1");
    assertThat(afterExtending(2)).containsExactly("m1", "m2");
  }

  /** Receives three, extends one of them, lets the others' time run out, and receives again. */
  private static List<String> afterExtending(int extended) {
    Bench bench = Bench.fifo();
    for (int i = 1; i <= 3; i++) {
      bench.send("m" + i, "g");
    }
    bench.change(bench.take(3).get(extended), 60);
    bench.passSeconds(30);
    return bench.bodies(10);
  }

  @Test
  void recorded_5_a_receive_brings_many_of_one_group_in_order_and_then_other_groups() {
    for (int i = 1; i <= 3; i++) {
      queue.send("a" + i, "a");
      queue.send("b" + i, "b");
    }
    assertThat(queue.bodies(4)).containsExactly("a1", "a2", "a3", "b1");
    assertThat(queue.bodies(10)).isEmpty();
  }

  @Test
  void a_blocked_group_does_not_block_another_one() {
    queue.send("a1", "a");
    queue.send("a2", "a");
    queue.send("b1", "b");
    assertThat(queue.bodies(1)).containsExactly("a1");
    assertThat(queue.bodies(10)).containsExactly("b1");
  }

  @Test
  void followers_released_behind_a_delayed_head_stay_blocked_until_it_comes() {
    List<HandedOut> slice = slice(3, 3);
    queue.change(slice.get(0), 20);
    queue.change(slice.get(1), 0);
    queue.change(slice.get(2), 0);
    assertThat(queue.bodies(10)).isEmpty();
    queue.passSeconds(20);
    assertThat(queue.bodies(10)).containsExactly("m1", "m2", "m3");
  }

  @Test
  void when_a_whole_slice_runs_out_it_comes_again_in_order_before_later_messages() {
    slice(4, 2);
    queue.passSeconds(30);
    assertThat(queue.bodies(3)).containsExactly("m1", "m2", "m3");
  }

  @Test
  void a_head_whose_retention_ends_in_flight_frees_its_group() {
    queue.engine.settings().retention(java.time.Duration.ofSeconds(60));
    queue.send("m1", "g");
    queue.passSeconds(50);
    queue.send("m2", "g");
    queue.one();
    assertThat(queue.engine.nextChange(queue.now)).hasValue(queue.now + 10_000_000_000L);
    queue.passSeconds(10);
    assertThat(queue.bodies(10)).containsExactly("m2");
  }

  @Test
  void groups_come_in_another_order_by_seed_when_asked_to_and_each_stays_in_order() {
    Set<List<String>> orders = new HashSet<>();
    for (int seed = 0; seed < 20; seed++) {
      Bench bench = Bench.fifo(seed);
      bench.engine.settings().anyOrder(true);
      List.of("a", "b", "c").forEach(group -> {
        bench.send(group + 1, group);
        bench.send(group + 2, group);
      });
      List<String> bodies = bench.bodies(10);
      assertThat(bodies).hasSize(6);
      List.of("a", "b", "c")
          .forEach(group -> assertThat(bodies.indexOf(group + 2)).isEqualTo(bodies.indexOf(group + 1) + 1));
      orders.add(bodies);
    }
    assertThat(orders).hasSizeGreaterThan(2);
  }

  @Test
  void a_group_on_a_standard_queue_is_a_tenant_that_blocks_nothing_and_comes_back() {
    Bench standard = Bench.standard();
    standard.engine.send(NewMessage.of("x").inGroup("tenant"), standard.now);
    standard.engine.send(NewMessage.of("y").inGroup("tenant"), standard.now);
    assertThat(standard.one().group()).contains("tenant");
    assertThat(standard.bodies(10)).containsExactly("y");
  }
}
