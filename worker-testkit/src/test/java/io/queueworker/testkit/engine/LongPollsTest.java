package io.queueworker.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Receives that wait (docs/queue-facts.md A3, A5). */
class LongPollsTest {

  /** An alarm that a test moves by hand, and the answers with the second at which they came. */
  private static final class Waiting implements Alarm {

    final Bench queue;
    final LongPolls polls;
    final List<String> answers = new ArrayList<>();
    private final List<Due> due = new ArrayList<>();

    Waiting(Bench queue) {
      this.queue = queue;
      this.polls = new LongPolls(queue.engine, this);
    }

    private record Due(long at, Runnable action) {}

    @Override
    public long now() {
      return queue.now;
    }

    @Override
    public Pending after(long nanos, Runnable action) {
      Due added = new Due(queue.now + Math.max(0, nanos), action);
      due.add(added);
      return () -> due.remove(added);
    }

    void poll(String name, int max, int waitSeconds) {
      long visibility = queue.engine.settings().visibility().toNanos();
      polls.receive(
          max,
          visibility,
          Duration.ofSeconds(waitSeconds).toNanos(),
          Optional.empty(),
          taken -> answers.add(
              name + " " + taken.stream().map(HandedOut::body).toList() + " at " + queue.now / 1_000_000_000));
    }

    /** Lets time go on by whole seconds, and everything due happen at its moment. */
    void pass(int seconds) {
      long end = queue.now + Duration.ofSeconds(seconds).toNanos();
      while (due.stream().anyMatch(one -> one.at() <= end)) {
        Due next = due.stream().min(java.util.Comparator.comparingLong(Due::at)).orElseThrow();
        due.remove(next);
        queue.now = Math.max(queue.now, next.at());
        next.action().run();
      }
      queue.now = end;
    }
  }

  private final Bench queue = Bench.standard();
  private final Waiting waiting = new Waiting(queue);

  @Test
  void a_short_poll_is_answered_at_once() {
    waiting.poll("p", 1, 0);
    assertThat(waiting.answers).containsExactly("p [] at 0");
  }

  @Test
  void a_long_poll_ends_empty_exactly_at_its_end() {
    waiting.poll("p", 1, 20);
    waiting.pass(19);
    assertThat(waiting.answers).isEmpty();
    waiting.pass(1);
    assertThat(waiting.answers).containsExactly("p [] at 20");
    assertThat(waiting.polls.waiting()).isZero();
  }

  @Test
  void a_send_is_brought_to_the_one_that_waits_longest() {
    waiting.poll("first", 10, 20);
    waiting.poll("second", 10, 20);
    waiting.pass(3);
    queue.send("x");
    waiting.pass(1);
    assertThat(waiting.answers).containsExactly("first [x] at 3");
    waiting.pass(20);
    assertThat(waiting.answers).containsExactly("first [x] at 3", "second [] at 20");
  }

  @Test
  void the_end_of_a_timeout_or_a_delay_and_a_release_wake_a_long_poll() {
    queue.engine.send(NewMessage.of("delayed").delayedBy(Duration.ofSeconds(2)), queue.now);
    waiting.poll("p", 1, 20);
    waiting.pass(2);
    waiting.poll("q", 1, 20);
    waiting.pass(10);
    queue.engine.changeVisibility("orders-receipt-1", 5, queue.now);
    waiting.pass(5);
    assertThat(waiting.answers).containsExactly("p [delayed] at 2", "q [delayed] at 17");
    waiting.poll("r", 1, 20);
    queue.engine.changeVisibility("orders-receipt-2", 0, queue.now);
    waiting.pass(0);
    assertThat(waiting.answers).endsWith("r [delayed] at 17");
  }

  @Test
  void on_a_fifo_queue_the_delete_of_all_in_flight_wakes_a_long_poll_for_the_followers() {
    Bench fifo = Bench.fifo();
    Waiting fifoWaiting = new Waiting(fifo);
    List.of("m1", "m2", "m3").forEach(body -> fifo.send(body, "g"));
    List<HandedOut> slice = fifo.take(2);
    fifoWaiting.poll("p", 10, 20);
    fifoWaiting.pass(4);
    fifo.delete(slice.get(0));
    fifoWaiting.pass(1);
    assertThat(fifoWaiting.answers).isEmpty();
    fifo.delete(slice.get(1));
    fifoWaiting.pass(1);
    assertThat(fifoWaiting.answers).containsExactly("p [m3] at 5");
  }

  @Test
  void a_receive_that_only_moves_dead_letters_waits_on_and_the_dead_letter_queues_poll_gets_them() {
    Bench dead = queue.with(queue.engine.sibling("dead"));
    Waiting deadWaiting = new Waiting(dead);
    queue.engine.settings().redrive(1, dead.engine);
    queue.send("poison");
    queue.one();
    deadWaiting.poll("letters", 1, 20);
    queue.passSeconds(15);
    dead.now = queue.now;
    queue.passSeconds(15);
    waiting.poll("p", 1, 20);
    dead.now = queue.now;
    deadWaiting.pass(0);
    assertThat(deadWaiting.answers).containsExactly("letters [poison] at 30");
    assertThat(waiting.answers).isEmpty();
    queue.send("good");
    waiting.pass(1);
    assertThat(waiting.answers).containsExactly("p [good] at 30");
  }

  @Test
  void a_long_poll_that_moves_a_dead_letter_brings_what_stood_behind_it_at_once() {
    Bench fifo = Bench.fifo();
    List.of("poison", "good").forEach(body -> fifo.send(body, "g"));
    Bench standard = Bench.standard();
    List.of("poison", "good").forEach(standard::send);
    for (Bench bench : List.of(standard, fifo)) {
      Waiting poller = new Waiting(bench);
      bench.engine.settings().redrive(1, bench.engine.sibling("dead"));
      bench.one();
      bench.passSeconds(30);
      poller.poll("p", 1, 20);
      poller.pass(1);
      assertThat(poller.answers).as(bench.engine.name()).containsExactly("p [good] at 30");
    }
  }

  @Test
  void the_visibility_timeout_of_a_long_poll_counts_from_its_answer() {
    waiting.poll("p", 1, 20);
    waiting.pass(15);
    queue.send("x");
    waiting.pass(0);
    queue.pass(Duration.ofSeconds(30).minusNanos(1));
    assertThat(queue.visible()).isEmpty();
    queue.pass(Duration.ofNanos(1));
    assertThat(queue.visible()).containsExactly("x");
  }

  @Test
  void after_the_end_no_receive_waits() {
    waiting.polls.end();
    waiting.poll("p", 1, 20);
    assertThat(waiting.answers).containsExactly("p [] at 0");
    assertThat(waiting.polls.waiting()).isZero();
  }

  @Test
  void with_too_many_in_flight_a_short_poll_fails_and_a_long_one_gets_nothing_until_there_is_room() {
    queue.engine.settings().inFlightLimit(1);
    List.of("a", "b").forEach(queue::send);
    HandedOut held = queue.one();
    assertThatThrownBy(() -> waiting.poll("short", 1, 0))
        .isInstanceOf(EngineException.class)
        .hasMessageStartingWith("OverLimit");
    waiting.poll("long", 1, 5);
    waiting.pass(5);
    assertThat(waiting.answers).containsExactly("long [] at 5");
    waiting.poll("later", 1, 5);
    queue.delete(held);
    waiting.pass(1);
    assertThat(waiting.answers).endsWith("later [b] at 5");
  }

  @Test
  void the_twelve_hours_of_a_long_poll_count_from_its_arrival() {
    waiting.poll("p", 1, 20);
    waiting.pass(19);
    queue.send("x");
    waiting.pass(0);
    assertThat(waiting.answers).containsExactly("p [x] at 19");
    Ruling tooLong = queue.engine.changeVisibility("orders-receipt-1", 43_182, queue.now);
    assertThat(((Ruling.Refused) tooLong).error().reason()).isEqualTo(EngineError.Reason.HOLD_LIMIT);
    Bench.assertDone(queue.engine.changeVisibility("orders-receipt-1", 43_181, queue.now));
  }

  @Test
  void a_service_that_ends_answers_everyone_with_nothing() {
    waiting.poll("p", 1, 20);
    waiting.poll("q", 1, 20);
    waiting.polls.end();
    assertThat(waiting.answers).containsExactly("p [] at 0", "q [] at 0");
    queue.send("x");
    waiting.pass(30);
    assertThat(waiting.answers).hasSize(2);
    assertThat(queue.visible()).containsExactly("x");
  }
}
