package io.queueworker.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The rules of Alibaba Cloud SMQ (docs/queue-facts.md C). */
class SmqTest {

  private final Bench queue = Bench.smq();

  private static void assertNotExist(Ruling ruling, EngineError.Reason reason) {
    EngineError error = ((Ruling.Refused) ruling).error();
    assertThat(error.code()).isEqualTo("MessageNotExist");
    assertThat(error.status()).isEqualTo(404);
    assertThat(error.reason()).isEqualTo(reason);
  }

  @Test
  void each_change_gives_a_new_receipt_and_ends_the_old_one() {
    queue.send("x");
    HandedOut message = queue.one();
    String second = ((Ruling.Done) queue.change(message, 40)).receipt();
    assertThat(second).isNotEqualTo(message.receipt());
    assertNotExist(queue.change(message, 40), EngineError.Reason.RECEIPT_EXPIRED);
    assertNotExist(queue.delete(message), EngineError.Reason.RECEIPT_EXPIRED);
    queue.pass(Duration.ofSeconds(40).minusNanos(1));
    assertThat(queue.engine.describe(second, queue.now).held()).isTrue();
    Bench.assertDone(queue.engine.delete(second, queue.now));
  }

  @Test
  void the_last_change_decides_also_when_it_is_shorter() {
    queue.send("x");
    String receipt = ((Ruling.Done) queue.change(queue.one(), 100)).receipt();
    Bench.assertDone(queue.engine.changeVisibility(receipt, 5, queue.now));
    queue.passSeconds(5);
    assertThat(queue.visible()).containsExactly("x");
  }

  @Test
  void a_receipt_is_refused_from_exactly_the_end_of_its_time_on() {
    queue.send("x");
    HandedOut message = queue.one();
    queue.passSeconds(30);
    assertNotExist(queue.change(message, 5), EngineError.Reason.RECEIPT_EXPIRED);
    assertNotExist(queue.delete(message), EngineError.Reason.RECEIPT_EXPIRED);
    assertThat(queue.visible()).containsExactly("x");
  }

  @Test
  void a_second_delete_is_refused_because_the_message_is_gone() {
    queue.send("x");
    HandedOut message = queue.one();
    queue.delete(message);
    assertNotExist(queue.delete(message), EngineError.Reason.MESSAGE_GONE);
    assertNotExist(queue.change(message, 5), EngineError.Reason.MESSAGE_GONE);
  }

  @Test
  void one_second_is_the_shortest_visibility() {
    queue.send("x");
    HandedOut message = queue.one();
    assertThat(((Ruling.Refused) queue.change(message, 0)).error().reason()).isEqualTo(EngineError.Reason.PARAMETER);
    Bench.assertDone(queue.change(message, 1));
    queue.passSeconds(1);
    assertThat(queue.visible()).containsExactly("x");
  }

  @Test
  void there_is_no_limit_of_twelve_hours_in_total() {
    queue.send("x");
    String receipt = queue.one().receipt();
    for (int i = 0; i < 4; i++) {
      receipt = ((Ruling.Done) queue.engine.changeVisibility(receipt, 43_200, queue.now)).receipt();
      queue.passSeconds(43_199);
    }
    Bench.assertDone(queue.engine.delete(receipt, queue.now));
  }
}
