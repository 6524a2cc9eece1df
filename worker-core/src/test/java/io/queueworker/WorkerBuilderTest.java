package io.queueworker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queueworker.queue.EntryResult;
import io.queueworker.queue.MessageQueue;
import io.queueworker.queue.OutgoingMessage;
import io.queueworker.queue.QueueAttributes;
import io.queueworker.queue.QueueTraits;
import io.queueworker.queue.Receipt;
import io.queueworker.queue.ReceiveRequest;
import io.queueworker.queue.ReceivedMessage;
import io.queueworker.queue.SendResult;
import io.queueworker.queue.VisibilityChange;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

class WorkerBuilderTest {

  private static final Duration TOO_LONG = Duration.ofDays(365 * 300);

  private static final Map<String, BiFunction<WorkerBuilder<String>, Duration, WorkerBuilder<String>>> DURATIONS =
      Map.of(
          "pollWait", WorkerBuilder::pollWait,
          "receiveLinger", WorkerBuilder::receiveLinger,
          "visibility", WorkerBuilder::visibility,
          "controlTimeout", WorkerBuilder::controlTimeout,
          "maxProcessingTime", WorkerBuilder::maxProcessingTime,
          "stallTimeout", WorkerBuilder::stallTimeout,
          "maxHold", WorkerBuilder::maxHold,
          "drainTimeout", WorkerBuilder::drainTimeout,
          "deleteLinger", WorkerBuilder::deleteLinger,
          "sampleQueue", WorkerBuilder::sampleQueue);

  private final NoQueue queue = new NoQueue();

  private WorkerBuilder<String> builder() {
    return QueueWorker.of(queue).handler(delivery -> {});
  }

  @Test
  void a_duration_that_no_long_of_nanoseconds_holds_is_refused_by_its_name() {
    DURATIONS.forEach(
        (name, setting) -> {
          for (Duration wrong : List.of(TOO_LONG, Duration.ofSeconds(Long.MAX_VALUE), TOO_LONG.negated())) {
            assertThatThrownBy(() -> setting.apply(builder(), wrong).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(" - " + name + " is ");
          }
        });
  }

  @Test
  void a_null_is_refused_by_the_name_of_its_setting() {
    DURATIONS.forEach(
        (name, setting) -> assertThatThrownBy(() -> setting.apply(builder(), null))
            .isInstanceOf(NullPointerException.class)
            .hasMessageStartingWith(name + " is null"));
    assertThatThrownBy(() -> builder().workerId(null)).hasMessageStartingWith("workerId is null");
    assertThatThrownBy(() -> builder().listener(null)).hasMessageStartingWith("listener is null");
    assertThatThrownBy(() -> builder().failurePolicy(null)).hasMessageStartingWith("failurePolicy is null");
    assertThatThrownBy(() -> QueueWorker.of(queue).handler(null)).hasMessageStartingWith("handler is null");
  }

  @Test
  void what_knows_the_type_of_the_body_comes_after_the_decoder() {
    assertThatThrownBy(() -> QueueWorker.of(queue).keepAliveWhile(delivery -> true).decode(Integer::valueOf))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("keepAliveWhile");
    assertThatThrownBy(() -> builder().decode(Integer::valueOf))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("handler");
  }

  @Test
  void a_builder_builds_one_worker_and_closes_nothing_when_it_refuses() {
    WorkerBuilder<String> builder = builder().maxConcurrency(0);
    assertThatThrownBy(builder::build).isInstanceOf(IllegalArgumentException.class);
    assertThat(queue.closed).isFalse();

    builder.maxConcurrency(1).build();

    assertThatThrownBy(builder::build)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("was built before");
  }

  @Test
  void a_health_that_is_down_between_two_receives_is_refused() {
    WorkerBuilder<String> builder =
        builder().pollWait(Duration.ofSeconds(20)).receiveLinger(Duration.ofSeconds(5));

    assertThatThrownBy(() -> builder.healthDownAfter(Duration.ofSeconds(25)).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("pollWait + receiveLinger is PT25S and healthDownAfter is PT25S");
    assertThat(builder.healthDownAfter(Duration.ofSeconds(26)).build()).isNotNull();
  }

  @Test
  void delays_that_no_service_takes_are_refused() {
    assertThatThrownBy(() -> FailurePolicy.exponential(Duration.ofSeconds(1), Duration.ofSeconds(Long.MAX_VALUE)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> FailurePolicy.exponential(Duration.ofSeconds(Long.MAX_VALUE), TOO_LONG))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(FailurePolicy.exponential(Duration.ofMillis(1), Duration.ofDays(365))).isNotNull();
  }

  /** A queue that nobody may use. */
  private static final class NoQueue implements MessageQueue {
    boolean closed;

    @Override
    public String name() {
      return "orders";
    }

    @Override
    public QueueTraits traits() {
      return new QueueTraits(
          10,
          Duration.ofSeconds(20),
          Duration.ZERO,
          Duration.ofHours(12),
          Optional.of(Duration.ofHours(12)),
          true,
          false,
          true,
          false,
          false);
    }

    @Override
    public QueueAttributes attributes() {
      throw new UnsupportedOperationException();
    }

    @Override
    public List<ReceivedMessage> receive(ReceiveRequest request) {
      throw new UnsupportedOperationException();
    }

    @Override
    public List<EntryResult> extend(List<VisibilityChange> batch, Duration timeout) {
      throw new UnsupportedOperationException();
    }

    @Override
    public List<EntryResult> release(List<VisibilityChange> batch, Duration timeout) {
      throw new UnsupportedOperationException();
    }

    @Override
    public List<EntryResult> delete(List<Receipt> batch, Duration timeout) {
      throw new UnsupportedOperationException();
    }

    @Override
    public SendResult send(OutgoingMessage message, Duration timeout) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Optional<MessageQueue> deadLetters() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
      closed = true;
    }
  }
}
