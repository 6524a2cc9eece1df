package io.queueworker.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queueworker.Delivery;
import io.queueworker.LeaseLostException;
import io.queueworker.LossReason;
import io.queueworker.MessageHandler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DeliveriesTest {

  @Test
  void a_handler_sees_what_the_test_set() {
    Instant sent = Instant.parse("2030-01-01T00:00:00Z");
    Delivery<String> delivery =
        Deliveries.of("body")
            .withId("m-7")
            .withAttribute("kind", "order")
            .withReceiveCount(3)
            .withSentAt(sent)
            .withGroup("g")
            .withRemaining(Duration.ofSeconds(5));
    assertThat(delivery.body()).isEqualTo("body");
    assertThat(delivery.id()).isEqualTo("m-7");
    assertThat(delivery.attributes()).isEqualTo(Map.of("kind", "order"));
    assertThat(delivery.receiveCount()).isEqualTo(3);
    assertThat(delivery.sentAt()).contains(sent);
    assertThat(delivery.group()).contains("g");
    assertThat(delivery.remaining()).isEqualTo(Duration.ofSeconds(5));
    delivery.checkHeld();
  }

  @Test
  void a_test_sees_what_the_handler_asked_for() throws Exception {
    MessageHandler<String> handler =
        delivery -> {
          delivery.progress();
          delivery.extendTo(Duration.ofMinutes(5));
          delivery.progress();
        };
    TestDelivery<String> delivery = Deliveries.of("x");
    handler.handle(delivery);
    assertThat(delivery.progressCalls()).isEqualTo(2);
    assertThat(delivery.extensions()).containsExactly(Duration.ofMinutes(5));
    assertThatThrownBy(() -> delivery.extendTo(Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void a_lost_lease_is_told_once_and_to_those_who_ask_later() {
    TestDelivery<String> delivery = Deliveries.of("x");
    List<LossReason> told = new ArrayList<>();
    delivery.onLost(told::add);
    assertThat(told).isEmpty();
    delivery.lose(LossReason.STALLED);
    delivery.lose(LossReason.EXPIRED);
    delivery.onLost(told::add);
    assertThat(told).containsExactly(LossReason.STALLED, LossReason.STALLED);
    assertThat(delivery.isHeld()).isFalse();
    assertThat(delivery.remaining()).isZero();
    assertThatThrownBy(delivery::checkHeld)
        .isInstanceOf(LeaseLostException.class)
        .hasMessageContaining("message-1")
        .hasMessageContaining(LossReason.STALLED.words());
  }
}
