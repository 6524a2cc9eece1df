package io.queueworker.testkit.elasticmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queueworker.queue.EntryResult;
import io.queueworker.queue.MessageQueue;
import io.queueworker.queue.ReceiveRequest;
import io.queueworker.queue.ReceivedMessage;
import io.queueworker.testkit.QueueCounts;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

@ElasticMqTest
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ElasticMqExtensionTest {

  private static final Duration LONG = Duration.ofSeconds(30);
  private static final Set<String> URLS = new HashSet<>();
  private static final Set<Integer> PORTS = new HashSet<>();

  private static List<ReceivedMessage> receive(MessageQueue queue, int max) {
    return queue.receive(new ReceiveRequest(max, Duration.ofSeconds(1), null));
  }

  @Test
  @Order(1)
  void a_test_gets_queues_of_its_own(@TestQueue TestQueueHandle a, @TestQueue TestQueueHandle b, ElasticMq server) {
    URLS.add(a.url());
    URLS.add(b.url());
    PORTS.add(server.port());
    a.send("one", "two");
    // In the millisecond in which it was sent, ElasticMQ can count a message as delayed.
    assertThat(a.counts().total()).isEqualTo(2);
    assertThat(b.counts().total()).isZero();
    assertThat(a.name()).startsWith("a_test_gets_queues_of_its_own-").isNotEqualTo(b.name());
  }

  @Test
  @Order(2)
  void the_next_test_finds_the_same_server_without_the_queues_before(ElasticMq server) {
    PORTS.add(server.port());
    assertThat(PORTS).hasSize(1);
    assertThat(URLS).hasSize(2);
    assertThat(server.client().listQueues().queueUrls()).doesNotContainAnyElementsOf(URLS);
  }

  @Test
  @Order(3)
  void settings_reach_the_queue(@TestQueue(visibilitySeconds = 7, maxReceiveCount = 3) TestQueueHandle queue) {
    MessageQueue port = queue.connect();
    assertThat(port.attributes().visibility()).isEqualTo(Duration.ofSeconds(7));
    assertThat(port.attributes().maxReceiveCount()).hasValue(3);
    assertThat(port.name()).isEqualTo(queue.name());
    assertThat(queue.deadLetters().counts().total()).isZero();
  }

  @Test
  @Order(4)
  void an_empty_queue_is_awaited_and_one_that_stays_full_fails_with_its_counts(@TestQueue TestQueueHandle queue) {
    queue.send("x");
    assertThatThrownBy(() -> queue.awaitEmpty(Duration.ZERO))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("is empty; it has 1 visible, 0 in flight, 0 delayed");
    MessageQueue port = queue.connect();
    List<ReceivedMessage> received = receive(port, 1);
    assertThat(queue.counts()).isEqualTo(new QueueCounts(0, 1, 0));
    assertThat(port.delete(List.of(received.get(0).receipt()), LONG)).hasOnlyElementsOfType(EntryResult.Done.class);
    queue.awaitEmpty(LONG);
    assertThat(queue.counts().total()).isZero();
  }

  @Test
  @Order(5)
  void a_message_received_too_often_is_a_dead_letter(
      @TestQueue(visibilitySeconds = 1, maxReceiveCount = 1) TestQueueHandle queue) {
    queue.send("poison");
    assertThat(receive(queue.connect(), 1)).hasSize(1);
    queue.await("has it visible again", counts -> counts.visible() == 1, LONG);
    assertThat(receive(queue.connect(), 1)).isEmpty();
    queue.deadLetters().await("has the message", counts -> counts.visible() == 1, LONG);
    assertThat(receive(queue.deadLetters().connect(), 1)).extracting(ReceivedMessage::body).containsExactly("poison");
  }

  @Test
  @Order(6)
  void a_fifo_queue_keeps_the_order_of_a_group(
      @TestQueue(fifo = true, maxReceiveCount = 3) TestQueueHandle queue) {
    queue.sendFifo("g", "1", "2", "2");
    assertThat(queue.name()).endsWith(".fifo");
    assertThat(queue.connect().traits().fifo()).isTrue();
    assertThat(receive(queue.connect(), 10)).extracting(ReceivedMessage::body).containsExactly("1", "2", "2");
  }

  @Test
  @Order(7)
  void a_queue_without_redrive_has_no_dead_letters(@TestQueue TestQueueHandle queue) {
    assertThatThrownBy(queue::deadLetters)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("give it a maxReceiveCount");
  }

  @Test
  @Order(8)
  void a_server_of_ones_own_starts_and_stops() {
    String url;
    try (ElasticMq own = ElasticMq.start()) {
      TestQueueHandle queue = own.createQueue("mine", Duration.ofSeconds(5), 0);
      url = queue.url();
      queue.send("x");
      assertThat(queue.counts().visible()).isEqualTo(1);
      assertThat(own.endpoint().getPort()).isEqualTo(own.port());
    }
    assertThat(url).endsWith("/mine");
  }
}
