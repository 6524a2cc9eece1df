package io.queueworker.operations;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Prometheus's own tool checks the alerts and runs their unit tests. */
@Tag("promtool")
class PromtoolTest {

  private static final Pattern RULE = Pattern.compile("(?m)^        expr: (?:\\|\\n(?: {10}.*\\n)+|.*\\n)");

  @TempDir Path directory;

  /** How a run ended. */
  private record Ended(int status, String said) {}

  @Test
  void the_alerts_are_rules_that_prometheus_takes() throws Exception {
    Ended ended = promtool(Operations.directory(), "check", "rules", "alerts.yml");
    assertThat(ended.status()).as(ended.said()).isZero();
    assertThat(ended.said()).contains("SUCCESS: " + Operations.alerts().size() + " rules found");
  }

  @Test
  void every_alert_fires_when_it_should_and_is_quiet_when_not() throws Exception {
    Ended ended = promtool(Operations.directory(), "test", "rules", "alerts-test.yml");
    assertThat(ended.status()).as(ended.said()).isZero();
    assertThat(ended.said()).contains("SUCCESS");
  }

  @Test
  void every_query_of_the_dashboard_is_one_that_prometheus_takes() throws Exception {
    List<String> queries = Operations.dashboard().findValuesAsText("expr");
    StringBuilder rules = new StringBuilder("groups:\n  - name: dashboard\n    rules:\n");
    for (int i = 0; i < queries.size(); i++) {
      String query = queries.get(i).replace("$__rate_interval", "5m").replace("$queue", ".+").replace("$worker", ".+");
      rules.append("      - record: q").append(i).append("\n        expr: >-\n          ").append(query).append('\n');
    }
    Files.writeString(directory.resolve("dashboard.yml"), rules);
    Ended ended = promtool(directory, "check", "rules", "dashboard.yml");
    assertThat(ended.status()).as(ended.said()).isZero();
    assertThat(ended.said()).contains("SUCCESS: " + queries.size() + " rules found");
  }

  @Test
  void control_alerts_that_never_fire_fail_the_test_of_each() throws Exception {
    Ended ended = testWith(alerts().replaceAll("        expr: vector(0) > 1\n"));
    assertThat(ended.status()).isEqualTo(1);
    for (Alert alert : Operations.alerts()) {
      assertThat(ended.said()).contains(alert.name() + " fires");
    }
  }

  @Test
  void control_alerts_that_always_fire_fail_the_test_of_each() throws Exception {
    Ended ended = testWith(alerts().replaceAll("        expr: vector(1)\n").replaceAll("(?m)^ {8}for: .*\n", ""));
    assertThat(ended.status()).isEqualTo(1);
    for (Alert alert : Operations.alerts()) {
      assertThat(ended.said()).contains(alert.name() + " is quiet");
    }
  }

  @Test
  void control_an_alert_on_a_meter_of_another_name_fails_its_test() throws Exception {
    Ended ended =
        testWith(Operations.text("operations/alerts.yml").replace("queueworker_handlers_stuck", "queueworker_stuck"));
    assertThat(ended.status()).isEqualTo(1);
    assertThat(ended.said()).contains("QueueWorkerHandlersStuck fires").doesNotContain("QueueWorkerDown fires");
  }

  @Test
  void control_what_is_no_query_is_refused() throws Exception {
    Files.writeString(directory.resolve("alerts.yml"), alerts().replaceFirst("        expr: sum by (queue\n"));
    assertThat(promtool(directory, "check", "rules", "alerts.yml").status()).isNotZero();
  }

  private static Matcher alerts() {
    return RULE.matcher(Operations.text("operations/alerts.yml"));
  }

  /** Runs the unit tests on other rules. */
  private Ended testWith(String rules) throws IOException, InterruptedException {
    Files.writeString(directory.resolve("alerts.yml"), rules);
    Files.writeString(directory.resolve("alerts-test.yml"), Operations.text("operations/alerts-test.yml"));
    return promtool(directory, "test", "rules", "alerts-test.yml");
  }

  private Ended promtool(Path where, String... arguments) throws IOException, InterruptedException {
    Path said = directory.resolve("said.txt");
    List<String> command = new ArrayList<>(List.of("/usr/bin/promtool"));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command).directory(where.toFile()).redirectErrorStream(true).redirectOutput(said.toFile())
            .start();
    try {
      assertThat(process.waitFor(5, TimeUnit.MINUTES)).as("promtool ends").isTrue();
    } finally {
      process.destroyForcibly();
    }
    return new Ended(process.exitValue(), Files.readString(said, StandardCharsets.UTF_8));
  }
}
