package io.queueworker.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The move to a dead-letter queue (docs/queue-facts.md A6). */
class RedriveTest {

  private final Bench queue = Bench.standard();
  private final QueueEngine dead = queue.engine.sibling("dead");

  private Bench dead() {
    return queue.with(dead);
  }

  private void receiveAndLapse(int times) {
    for (int i = 0; i < times; i++) {
      queue.one();
      queue.passSeconds(30);
    }
  }

  @Test
  void the_receive_after_the_last_allowed_one_moves_the_message_and_brings_nothing() {
    queue.engine.settings().redrive(2, dead);
    String id = queue.send("poison");
    receiveAndLapse(2);
    assertThat(dead.list(queue.now)).isEmpty();
    assertThat(queue.take(10)).isEmpty();
    assertThat(queue.engine.list(queue.now)).isEmpty();
    HandedOut letter = dead().one();
    assertThat(letter.id()).isEqualTo(id);
    assertThat(letter.body()).isEqualTo("poison");
    assertThat(letter.receiveCount()).isEqualTo(3);
    assertThat(letter.deadLetterSource()).contains("arn:aws:sqs:us-east-1:000000000000:orders");
    assertThat(letter.systemAttributes(Instant.EPOCH))
        .containsEntry("DeadLetterQueueSourceArn", queue.engine.arn())
        .containsEntry("ApproximateReceiveCount", "3")
        .containsEntry("SentTimestamp", "0");
  }

  @Test
  void a_moved_message_takes_the_place_of_one_that_the_receive_could_bring() {
    queue.engine.settings().redrive(1, dead);
    queue.send("poison");
    receiveAndLapse(1);
    queue.send("good");
    assertThat(queue.take(1)).isEmpty();
    assertThat(queue.bodies(1)).containsExactly("good");
  }

  @Test
  void an_old_receipt_does_nothing_to_a_moved_message() {
    queue.engine.settings().redrive(1, dead);
    queue.send("poison");
    HandedOut old = queue.one();
    queue.passSeconds(30);
    queue.take(1);
    Bench.assertWithoutEffect(queue.change(old, 60));
    Bench.assertWithoutEffect(queue.delete(old));
    assertThat(dead().visible()).containsExactly("poison");
    assertThat(((Ruling.Refused) dead().delete(old)).error().reason()).isEqualTo(EngineError.Reason.RECEIPT_UNKNOWN);
  }

  @Test
  void on_a_standard_dead_letter_queue_the_retention_counts_from_the_first_send() {
    queue.engine.settings().redrive(1, dead);
    queue.send("poison");
    queue.pass(Duration.ofDays(3));
    receiveAndLapse(1);
    queue.take(1);
    queue.pass(Duration.ofDays(1).minusSeconds(30).minusNanos(1));
    assertThat(dead().visible()).hasSize(1);
    queue.pass(Duration.ofNanos(1));
    assertThat(dead().visible()).isEmpty();
  }

  @Test
  void a_fifo_dead_letter_has_its_message_id_as_deduplication_id_and_a_new_retention() {
    Bench fifo = Bench.fifo();
    QueueEngine letters = fifo.engine.sibling("dead");
    assertThat(letters.name()).isEqualTo("orders-dead.fifo");
    fifo.engine.settings().redrive(1, letters);
    String id = fifo.send("poison", "g");
    fifo.pass(Duration.ofDays(3));
    fifo.one();
    fifo.passSeconds(30);
    fifo.take(1);
    fifo.pass(Duration.ofDays(3));
    HandedOut letter = fifo.with(letters).one();
    assertThat(letter.deduplicationId()).contains(id);
    assertThat(letter.group()).contains("g");
  }

  @Test
  void on_a_fifo_queue_a_failing_head_drags_its_innocent_followers_along() {
    Bench fifo = Bench.fifo();
    fifo.engine.settings().redrive(3, fifo.engine.sibling("dead"));
    List.of("head", "m2", "m3").forEach(body -> fifo.send(body, "g"));
    for (int i = 0; i < 3; i++) {
      assertThat(fifo.bodies(10)).containsExactly("head", "m2", "m3");
      fifo.passSeconds(30);
    }
    assertThat(fifo.take(10)).isEmpty();
    assertThat(fifo.engine.list(fifo.now)).isEmpty();
  }

  @Test
  void on_a_fifo_queue_a_moved_head_frees_its_followers() {
    Bench fifo = Bench.fifo();
    fifo.engine.settings().redrive(1, fifo.engine.sibling("dead"));
    fifo.send("head", "g");
    fifo.one();
    fifo.send("follower", "g");
    fifo.passSeconds(30);
    assertThat(fifo.bodies(10)).containsExactly("follower");
  }

  @Test
  void the_dead_letter_queue_is_of_the_same_kind_and_the_count_from_1_to_1000() {
    QueueSettings settings = queue.engine.settings();
    assertThatThrownBy(() -> settings.redrive(1, Bench.fifo().engine)).hasMessageContaining("of the same kind");
    assertThatThrownBy(() -> settings.redrive(0, dead)).hasMessageContaining("give 1 to 1000");
    assertThatThrownBy(() -> settings.redrive(1001, dead)).hasMessageContaining("give 1 to 1000");
  }

  @Test
  void without_a_redrive_policy_a_message_comes_again_and_again() {
    queue.engine.settings().redrive(1, dead).noRedrive();
    queue.send("x");
    receiveAndLapse(5);
    assertThat(queue.one().receiveCount()).isEqualTo(6);
  }
}
