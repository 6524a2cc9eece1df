package io.queueworker.deadletter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queueworker.KeyFunction;
import io.queueworker.QueueWorker;
import io.queueworker.RejectException;
import io.queueworker.gate.LeasedGate;
import io.queueworker.queue.EntryResult;
import io.queueworker.queue.MessageQueue;
import io.queueworker.queue.MoveTask;
import io.queueworker.queue.OutgoingMessage;
import io.queueworker.queue.QueueAttributes;
import io.queueworker.queue.QueueException;
import io.queueworker.queue.QueueTraits;
import io.queueworker.queue.Receipt;
import io.queueworker.queue.ReceiveRequest;
import io.queueworker.queue.ReceivedMessage;
import io.queueworker.queue.SendResult;
import io.queueworker.queue.VisibilityChange;
import io.queueworker.testkit.SqsTestQueue;
import io.queueworker.testkit.elasticmq.ElasticMqTest;
import io.queueworker.testkit.elasticmq.TestQueue;
import io.queueworker.testkit.elasticmq.TestQueueHandle;
import io.queueworker.testkit.endpoint.StrictSqs;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** The round trip, reject then redrive, over HTTP: one effect, reason kept, nothing lost when the redrive dies between send and delete. */
@ElasticMqTest
class RoundTripOverHttpTest {

  private static final Duration LONG = Duration.ofSeconds(90);
  private static final int MESSAGES = 6;

  @Test
  void on_elasticmq(@TestQueue(maxReceiveCount = 100) TestQueueHandle queue) {
    roundTrip(queue);
  }

  @Test
  void on_elasticmq_fifo(@TestQueue(maxReceiveCount = 100, fifo = true) TestQueueHandle queue) {
    roundTrip(queue);
  }

  @Test
  void on_the_strict_endpoint() {
    try (StrictSqs sqs = StrictSqs.start()) {
      roundTrip(sqs.queue("orders").maxReceiveCount(100).create());
    }
  }

  @Test
  void on_the_strict_endpoint_fifo() {
    try (StrictSqs sqs = StrictSqs.start()) {
      roundTrip(sqs.queue("orders.fifo").maxReceiveCount(100).create());
    }
  }

  private static void roundTrip(SqsTestQueue queue) {
    AtomicBoolean fixed = new AtomicBoolean();
    Map<String, Integer> effects = new ConcurrentHashMap<>();
    for (int i = 0; i < MESSAGES; i++) {
      if (queue.name().endsWith(".fifo")) {
        queue.sendFifo("group-" + i, "m" + i);
      } else {
        queue.send("m" + i);
      }
    }
    try (MessageQueue source = queue.connect();
        QueueWorker worker =
            QueueWorker.of(queue.connect())
                .once(
                    LeasedGate.inMemory(),
                    KeyFunction.messageId(),
                    (delivery, fenced) -> {
                      if (!fixed.get()) {
                        throw new RejectException("the customer is unknown");
                      }
                      effects.merge(delivery.body(), 1, Integer::sum);
                    })
                .pollWait(Duration.ofSeconds(1))
                .start()) {
      queue.deadLetters().await("has all", counts -> counts.visible() == MESSAGES, LONG);
      queue.awaitEmpty(LONG);
      DeadLetters deadLetters = DeadLetters.of(source);
      assertThat(deadLetters.list(ListRequest.defaults()).letters()).hasSize(MESSAGES)
          .extracting(DeadLetter::reason).containsOnly(Optional.of("the customer is unknown"));

      fixed.set(true);
      MessageQueue mortal = new Mortal(source.deadLetters().orElseThrow());
      assertThatThrownBy(
          () -> DeadLetters.of(mortal, source).redrive(RedriveRequest.all().hiddenFor(Duration.ofSeconds(10))))
          .isInstanceOf(Death.class);
      queue.deadLetters().await(
          "shows again what the dead redrive held", counts -> counts.visible() == MESSAGES - 1, LONG);
      RedriveReport report = deadLetters.redrive(RedriveRequest.all());
      assertThat(report.isComplete()).as("%s", report).isTrue();
      assertThat(report.redriven()).isEqualTo(MESSAGES - 1);
      queue.awaitEmpty(LONG);
      worker.close();
    }
    assertThat(effects).hasSize(MESSAGES).allSatisfy((body, times) -> assertThat(times).isEqualTo(1));
    assertThat(queue.deadLetters().counts().total()).isZero();
  }

  @Test
  void the_services_move_task_moves_everything_to_the_source(
      @TestQueue(maxReceiveCount = 100) TestQueueHandle queue) {
    queue.deadLetters().send("a", "b", "c");
    try (MessageQueue source = queue.connect()) {
      DeadLetters deadLetters = DeadLetters.of(source);
      MoveTask task = deadLetters.startMoveTask(KeySource.BUSINESS_KEY, OptionalInt.empty());
      assertThat(task.handle()).isPresent();
      queue.await("has all", counts -> counts.visible() == 3, LONG);
      assertThat(deadLetters.moveTasks()).isNotEmpty();
      assertThatThrownBy(() -> deadLetters.cancelMoveTask("nonsense")).isInstanceOf(QueueException.class);
      assertThatThrownBy(() -> deadLetters.startMoveTask(KeySource.BUSINESS_KEY, OptionalInt.of(501)))
          .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("501");
    }
  }

  /** Ends the process, as far as this thread can tell. */
  private static final class Death extends Error {
    private static final long serialVersionUID = 1L;
  }

  /** A queue whose process dies before its second delete: no call leaves it afterwards. For one thread. */
  private static final class Mortal implements MessageQueue {
    private final MessageQueue queue;
    private int deletes;

    Mortal(MessageQueue queue) {
      this.queue = queue;
    }

    private MessageQueue alive() {
      if (deletes > 1) {
        throw new Death();
      }
      return queue;
    }

    @Override
    public String name() {
      return queue.name();
    }

    @Override
    public QueueTraits traits() {
      return queue.traits();
    }

    @Override
    public QueueAttributes attributes() {
      return alive().attributes();
    }

    @Override
    public List<ReceivedMessage> receive(ReceiveRequest request) {
      return alive().receive(request);
    }

    @Override
    public List<EntryResult> extend(List<VisibilityChange> batch, Duration timeout) {
      return alive().extend(batch, timeout);
    }

    @Override
    public List<EntryResult> release(List<VisibilityChange> batch, Duration timeout) {
      return alive().release(batch, timeout);
    }

    @Override
    public List<EntryResult> delete(List<Receipt> batch, Duration timeout) {
      deletes++;
      return alive().delete(batch, timeout);
    }

    @Override
    public SendResult send(OutgoingMessage message, Duration timeout) {
      return alive().send(message, timeout);
    }

    @Override
    public Optional<MessageQueue> deadLetters() {
      return alive().deadLetters();
    }

    @Override
    public void close() {
      queue.close();
    }
  }
}
