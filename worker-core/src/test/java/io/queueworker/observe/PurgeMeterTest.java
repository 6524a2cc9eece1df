package io.queueworker.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.queueworker.gate.Purge;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class PurgeMeterTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  private double count(String name) {
    return registry.get(name).tag("table", "billing.gate").counter().count();
  }

  @Test
  void each_step_is_counted_once_and_purges_of_a_table_add_up() {
    Purge.Result step = new Purge.Result(1000, 900, 3, Duration.ofMillis(5));
    Purge.Result total = new Purge.Result(5000, 4000, 3, Duration.ofMillis(25));
    Purge.Progress progress = new Purge.Progress(step, total, new Purge.Position("orders", "00"));

    PurgeMeter.in(registry, "billing.gate").accept(progress);
    PurgeMeter.in(registry, "billing.gate").accept(progress);

    assertThat(count("queueworker.gate.purge.looked")).isEqualTo(2000);
    assertThat(count("queueworker.gate.purged")).isEqualTo(1800);
    assertThat(count("queueworker.gate.purge.left")).isEqualTo(6);
  }

  @Test
  void the_documentation_lists_what_is_registered_and_nothing_else() throws Exception {
    PurgeMeter.in(registry, "billing.gate");
    List<String> documented =
        Files.readAllLines(Path.of("..", "docs", "metrics.md")).stream()
            .filter(line -> line.startsWith("| `queueworker.gate.purge"))
            .map(line -> line.substring(3, line.indexOf('`', 3)))
            .toList();

    assertThat(registry.getMeters())
        .extracting(Meter::getId)
        .extracting(Meter.Id::getName)
        .containsExactlyInAnyOrderElementsOf(documented);
  }
}
