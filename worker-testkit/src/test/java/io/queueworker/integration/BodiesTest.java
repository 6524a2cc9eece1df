package io.queueworker.integration;

import static io.queueworker.integration.Rig.LONG;
import static io.queueworker.integration.Rig.SHORT_POLL;
import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.FailureAction;
import io.queueworker.QueueWorker;
import io.queueworker.observe.WorkerEvent.Failed;
import io.queueworker.testkit.Invariants;
import io.queueworker.testkit.Trail;
import io.queueworker.testkit.elasticmq.ElasticMqTest;
import io.queueworker.testkit.elasticmq.TestQueue;
import io.queueworker.testkit.elasticmq.TestQueueHandle;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** Bodies as odd as a queue takes them. */
@ElasticMqTest
class BodiesTest {

  private static final int MEBIBYTE = 1_048_576;

  private static final List<String> ODD =
      List.of(
          " ",
          "\t\n\r",
          "{\"a\":\"\\u0000\"}",
          "emoji \uD83D\uDE80 family \uD83D\uDC68\u200D\uD83D\uDC69\u200D\uD83D\uDC67",
          "right to left \u05E9\u05DC\u05D5\u05DD \u0627\u0644\u0633\u0644\u0627\u0645",
          "composed \u00E9 and decomposed e\u0301",
          "zero width \u200B\uFEFF joiner",
          "<xml attr=\"&amp;\">]]></xml>",
          "'; DROP TABLE orders; --",
          "x".repeat(MEBIBYTE));

  @Test
  void odd_and_large_bodies_arrive_as_they_were_sent(@TestQueue TestQueueHandle queue) {
    Set<String> handled = ConcurrentHashMap.newKeySet();
    Trail trail = Trail.create();
    try (QueueWorker worker =
        QueueWorker.of(queue.connect())
            .handler(delivery -> handled.add(delivery.body()))
            .pollWait(SHORT_POLL)
            .inlineListener(trail)
            .start()) {
      ODD.forEach(queue::send);
      queue.awaitEmpty(LONG);
    }
    assertThat(handled).containsExactlyInAnyOrderElementsOf(ODD);
    Invariants.check(trail, 64);
  }

  @Test
  void a_body_that_cannot_be_decoded_goes_to_the_dead_letters_as_it_was_and_its_neighbours_do_not_notice(
      @TestQueue(visibilitySeconds = 2, maxReceiveCount = 2) TestQueueHandle queue) {
    Set<Integer> handled = ConcurrentHashMap.newKeySet();
    Trail trail = Trail.create();
    try (QueueWorker worker =
        QueueWorker.of(queue.connect())
            .decode(Integer::valueOf)
            .handler(delivery -> handled.add(delivery.body()))
            .failurePolicy(failure -> FailureAction.retryAfter(Duration.ZERO))
            .pollWait(SHORT_POLL)
            .inlineListener(trail)
            .start()) {
      queue.send("1", "two", "3");
      queue.deadLetters().await("the undecodable one", counts -> counts.total() == 1, LONG);
      queue.awaitEmpty(LONG);
    }
    assertThat(handled).containsExactlyInAnyOrder(1, 3);
    assertThat(trail.of(Failed.class)).hasSize(2);
    Invariants.check(trail, 64);
  }
}
