package io.queueworker.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.queue.MessageAttribute;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the engine's texts leave out. */
class SecretsTest {

  @Test
  void no_text_of_the_engine_shows_a_body_or_a_receipt_handle() {
    Bench queue = Bench.standard();
    queue.engine.send(
        NewMessage.of("secret").withAttributes(Map.of("a", MessageAttribute.text("secret"))), queue.now);
    HandedOut message = queue.one();
    String shown =
        MessageAttribute.text("secret") + " " +
            message + " " + queue.engine.list(queue.now) + " " + NewMessage.of("secret") + " "
            + queue.change(message, 1)
            + " " + queue.delete(message) + " " + queue.change(message, 1) + " " + queue.delete(message);
    assertThat(shown).doesNotContain("secret").doesNotContain(message.receipt());
  }
}
