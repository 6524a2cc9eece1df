package io.queueworker.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TaskOptionsTest {

  private static final Path PAGE = Path.of("page.html");

  @Test
  void a_value_out_of_range_is_named_with_what_is_allowed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new TaskOptions(4, "h2", PAGE))
        .withMessageStartingWith("speed is 4: give one of [1, 2, 3, 5, 6, 10, 15]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new TaskOptions(1, "oracle", PAGE))
        .withMessage("db is \"oracle\": give -Ddb=h2 or -Ddb=postgres");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 6, 10, 15})
  void the_visibility_timeout_stays_in_whole_seconds(int speed) {
    TaskOptions options = new TaskOptions(speed, "h2", PAGE);

    assertThat(options.visibility()).isEqualTo(Duration.ofSeconds(30 / speed));
    assertThat(options.task()).isGreaterThan(options.visibility());
    // The beat after the task's own extension is due when extensions fail, so that it is the first to fail.
    assertThat(options.firstStep().plus(options.visibility().dividedBy(2)))
        .isBetween(options.failingFrom().minusNanos(1), options.failingFrom());
  }
}
