package io.queueworker.operations;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The alerts read meters that exist, say what to do, and each has unit tests. PromtoolTest runs those. */
class AlertsTest {

  private static final Map<String, Map<String, Set<String>>> METERS = PrometheusMeters.ofAWorker();

  @Test
  void every_alert_reads_meters_labels_and_values_that_a_worker_has() {
    for (Alert alert : Operations.alerts()) {
      Query query = new Query(alert.query());
      assertThat(query.names()).as(alert.name()).isNotEmpty();
      assertThat(query.problems(METERS)).as(alert.name()).isEmpty();
      assertThat(METERS.keySet()).as(alert.name()).containsAll(new Query(alert.summary()).names());
    }
  }

  @Test
  void control_a_query_for_what_no_worker_has_is_found_out() {
    assertThat(new Query("sum by (queue) (rate(queueworker_deletes[5m]))").problems(METERS))
        .contains("no meter is named queueworker_deletes");
    assertThat(new Query("sum by (group) (queueworker_paused)").problems(METERS))
        .containsExactly("none of its meters has the label group");
    assertThat(new Query("queueworker_deletes_failed_total{reason=\"expired\"}").problems(METERS))
        .containsExactly("queueworker_deletes_failed_total has no label reason");
    assertThat(new Query("queueworker_leases_lost_total{reason!~\"closed|gone\"}").problems(METERS))
        .containsExactly("queueworker_leases_lost_total has no reason gone");
  }

  @Test
  void prometheus_reads_exactly_what_the_list_of_meters_says() {
    Set<String> listed = new TreeSet<>();
    for (String line : Operations.text("metrics.md").lines().toList()) {
      String[] cells = line.split("\\|", -1);
      if (line.startsWith("| `queueworker.")) {
        listed.addAll(names(cells[1].strip().replace("`", ""), cells[2].strip(), cells[4].strip()));
      }
    }
    assertThat(METERS.keySet()).isEqualTo(listed);
  }

  /** As Micrometer names a meter for Prometheus. */
  private static List<String> names(String meter, String type, String unit) {
    String name = meter.replace('.', '_');
    return switch (type) {
      case "counter" -> List.of(name + "_total");
      case "timer" -> List.of(name + "_seconds_count", name + "_seconds_sum", name + "_seconds_max");
      case "gauge" -> List.of(unit.isEmpty() ? name : name + "_" + unit);
      default -> throw new AssertionError(meter + " is a " + type);
    };
  }

  @Test
  void every_alert_has_a_severity_a_sentence_and_its_place_in_the_runbook() {
    assertThat(Operations.alerts()).isNotEmpty().extracting(Alert::name).doesNotHaveDuplicates();
    for (Alert alert : Operations.alerts()) {
      assertThat(alert.severity()).as(alert.name()).isIn("critical", "warning");
      assertThat(alert.summary()).as(alert.name()).endsWith(".").contains("{{ $labels.");
      assertThat(alert.runbook())
          .isEqualTo("docs/operations/runbook.md#" + alert.name().toLowerCase(Locale.ROOT));
    }
  }

  @Test
  void every_alert_has_a_case_in_which_it_fires_and_one_in_which_it_is_quiet() {
    Set<String> firing = new TreeSet<>();
    Set<String> quiet = new TreeSet<>();
    for (JsonNode test : Operations.alertTests()) {
      for (JsonNode question : test.get("alert_rule_test")) {
        (question.get("exp_alerts").isEmpty() ? quiet : firing).add(question.get("alertname").asText());
      }
    }
    Set<String> alerts = Operations.alerts().stream().map(Alert::name).collect(Collectors.toCollection(TreeSet::new));
    assertThat(firing).isEqualTo(alerts);
    assertThat(quiet).isEqualTo(alerts);
  }

  @Test
  void the_unit_tests_feed_the_alerts_with_series_that_a_worker_has() {
    for (JsonNode test : Operations.alertTests()) {
      for (JsonNode series : test.get("input_series")) {
        Query query = new Query(series.get("series").asText());
        List<String> problems = query.problems(METERS).stream().filter(AlertsTest::isNoNameOfTheTest).toList();
        assertThat(problems).as(test.get("name").asText()).isEmpty();
      }
    }
  }

  /** Workers, kinds of failure and permissions are as many as there are; a test may think of one. */
  private static boolean isNoNameOfTheTest(String problem) {
    return Arrays.stream(new String[]{"has no worker ", "has no kind ", "has no action "}).noneMatch(problem::contains);
  }
}
