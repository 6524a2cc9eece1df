package io.queueworker.examples;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What makes the orders program fail, on figures alone. */
class AuditTest {

  @Test
  void one_effect_for_each_order_and_nothing_left_is_clean() {
    Audit audit = new Audit(200, 200, 200, 21, 28, 1, 0, 0);

    assertThat(audit.isClean()).isTrue();
    assertThat(audit.toJson())
        .isEqualTo(
            "{\"example\":\"orders\",\"sent\":200,\"effects\":200,\"suppressed\":21,\"redeliveries\":28,\"kills\":1,"
                + "\"leftOnQueue\":0,\"leftInFlight\":0}");
  }

  @ParameterizedTest
  @CsvSource({
    "an order without effect, 199, 199, 1, 0, 0",
    "an order with two effects, 201, 200, 1, 0, 0",
    "one lost and another done twice, 200, 199, 1, 0, 0",
    "no worker killed, 200, 200, 0, 0, 0",
    "a worker that had to be killed at the end, 200, 200, 2, 0, 0",
    "a message left, 200, 200, 1, 1, 0",
    "a message left in flight, 200, 200, 1, 0, 1"})
  void anything_else_is_not(String what, int effects, int orders, int kills, int leftOnQueue, int leftInFlight) {
    assertThat(new Audit(200, effects, orders, 21, 28, kills, leftOnQueue, leftInFlight).isClean())
        .as(what)
        .isFalse();
  }
}
