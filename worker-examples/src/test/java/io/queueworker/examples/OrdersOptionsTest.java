package io.queueworker.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class OrdersOptionsTest {

  @Test
  void a_value_out_of_range_is_named_with_what_is_allowed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new OrdersOptions(19, "h2"))
        .withMessage("orders is 19: give -Dorders=20 up to -Dorders=100000");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new OrdersOptions(100_001, "h2"))
        .withMessageContaining("100001");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new OrdersOptions(20, "oracle"))
        .withMessage("db is \"oracle\": give -Ddb=h2 or -Ddb=postgres");
  }

  @Test
  void more_orders_get_more_time() {
    assertThat(new OrdersOptions(200, "h2").timeLimit()).isEqualTo(Duration.ofSeconds(140));
    assertThat(new OrdersOptions(2_000, "postgres").timeLimit()).isEqualTo(Duration.ofSeconds(320));
  }
}
