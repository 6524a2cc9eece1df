package io.queueworker.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.receive.Pollers.Poller;
import io.queueworker.timing.SetClock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which pollers there are, and where the permits of their receives are. */
class PollersTest {

  private final Permits permits = new Permits(new SetClock(), 20);
  private final Pollers pollers = new Pollers(new SetClock(), permits, "poll-", 2);
  private final List<String> told = new ArrayList<>();

  private Poller add() {
    return pollers.add().orElseThrow();
  }

  /** A receive of this poller starts, with ten permits. */
  private void receives(Poller poller, long deadline) {
    assertThat(permits.acquire(10, 0)).isEqualTo(10);
    pollers.receiving(poller, 10, deadline);
  }

  @Test
  void there_are_no_more_than_the_most_and_none_once_the_worker_stops() {
    assertThat(add().thread).isEqualTo("poll-1");
    Poller second = add();
    assertThat(second.thread).isEqualTo("poll-2");
    assertThat(pollers.add()).isEmpty();
    pollers.ended(second);
    assertThat(add().thread).as("each has its own name").isEqualTo("poll-3");

    Pollers stopping = new Pollers(new SetClock(), permits, "poll-", 2);
    stopping.stop();
    assertThat(stopping.add()).isEmpty();
  }

  @Test
  void one_is_missing_when_polling_has_begun_and_none_is_left_that_is_not_replaced() {
    assertThat(pollers.areMissing()).as("not begun").isFalse();
    Poller first = add();
    assertThat(pollers.areMissing()).isFalse();
    receives(first, 100);
    pollers.replaceHung(100);
    assertThat(pollers.areMissing()).as("the only one is replaced").isTrue();
    Poller second = add();
    assertThat(pollers.areMissing()).isFalse();
    pollers.ended(second);
    assertThat(pollers.areMissing()).isTrue();
    pollers.stop();
    assertThat(pollers.areMissing()).as("the worker stops").isFalse();
  }

  @Test
  void all_may_retire_but_the_last() {
    Poller first = add();
    assertThat(pollers.retire(first)).isFalse();
    Poller second = add();
    assertThat(pollers.retire(first)).isTrue();
    assertThat(pollers.retire(first)).as("it is out already").isFalse();
    assertThat(pollers.retire(second)).isFalse();
    assertThat(pollers.add()).as("there is room again").isPresent();
  }

  @Test
  void the_last_one_that_works_stays_beside_one_that_hangs() {
    Poller hangs = add();
    receives(hangs, 100);
    pollers.replaceHung(100);
    Poller works = add();
    assertThat(pollers.retire(works)).isFalse();
  }

  @Test
  void an_answered_receive_leaves_its_permits_to_the_caller() {
    Poller poller = add();
    receives(poller, 100);
    assertThat(pollers.held()).isEqualTo(10);

    assertThat(pollers.answered(poller)).isTrue();

    assertThat(pollers.held()).isZero();
    assertThat(permits.used()).isEqualTo(10);
    assertThat(pollers.replaceHung(Long.MAX_VALUE / 2)).as("it has no deadline any more").isEmpty();
  }

  @Test
  void a_receive_is_replaced_at_its_deadline_and_its_permits_go_back_once() {
    Poller poller = add();
    receives(poller, Long.MIN_VALUE + 5); // compared by difference
    assertThat(pollers.replaceHung(Long.MIN_VALUE + 4)).isEmpty();
    assertThat(permits.used()).isEqualTo(10);

    assertThat(pollers.replaceHung(Long.MIN_VALUE + 5)).containsExactly(poller);

    assertThat(permits.used()).isZero();
    assertThat(pollers.held()).isZero();
    assertThat(pollers.replaceHung(Long.MIN_VALUE + 6)).isEmpty();
    assertThat(pollers.answered(poller)).as("what it brings is not to be worked on").isFalse();
    assertThat(permits.used()).isZero();
  }

  @Test
  void what_a_receive_brings_while_the_worker_stops_is_not_to_be_worked_on() {
    Poller poller = add();
    receives(poller, 100);
    pollers.stop();
    assertThat(pollers.replaceHung(1_000)).as("the close waits for it instead").isEmpty();
    assertThat(pollers.answered(poller)).isFalse();
    assertThat(permits.used()).isZero();
  }

  @Test
  void a_receive_that_broke_down_gives_its_permits_back_once() {
    Poller poller = add();
    receives(poller, 100);
    pollers.brokeDown(poller);
    pollers.brokeDown(poller);
    assertThat(permits.used()).isZero();
    assertThat(pollers.held()).isZero();
    assertThat(pollers.replaceHung(1_000)).isEmpty();
  }

  @Test
  void a_message_goes_back_at_once_until_the_worker_stops_and_then_after_the_last_receive() {
    Poller first = add();
    Poller second = add();
    pollers.giveBack(() -> told.add("at once"));
    assertThat(told).containsExactly("at once");
    pollers.stop();
    pollers.giveBack(() -> told.add("later"));
    pollers.whenEnded(() -> told.add("ended"));
    pollers.ended(first);
    assertThat(told).as("another receive could still bring it again").containsExactly("at once");

    pollers.ended(second);

    assertThat(told).containsExactly("at once", "later", "ended");
    pollers.whenEnded(() -> told.add("none is left"));
    pollers.giveBackNow();
    assertThat(told).as("each once").containsExactly("at once", "later", "ended", "none is left");
  }

  @Test
  void what_waits_for_the_last_receive_goes_back_when_there_is_no_time_left_and_so_does_what_comes_later() {
    add();
    pollers.stop();
    pollers.giveBack(() -> told.add("waited"));
    pollers.giveBackNow();
    assertThat(told).containsExactly("waited");
    pollers.giveBack(() -> told.add("came later"));
    pollers.giveBackNow();
    assertThat(told).containsExactly("waited", "came later");
  }

  @Test
  void those_that_have_not_ended_in_time_are_named() throws InterruptedException {
    Poller first = add();
    Poller second = add();
    assertThat(pollers.awaitEnded(0)).containsExactly("poll-1", "poll-2");
    pollers.ended(first);
    assertThat(pollers.awaitEnded(0)).containsExactly("poll-2");
    pollers.ended(second);
    assertThat(pollers.awaitEnded(1_000_000_000_000L)).isEmpty();
  }
}
