package io.queueworker.operations;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The dashboard shows every meter that a worker has, says what each panel means, and fits any Grafana. */
class DashboardTest {

  private static final Map<String, Map<String, Set<String>>> METERS = PrometheusMeters.ofAWorker();
  private static final JsonNode DASHBOARD = Operations.dashboard();

  @Test
  void every_query_reads_meters_labels_and_values_that_a_worker_has() {
    for (JsonNode panel : panels()) {
      for (String query : queries(panel)) {
        assertThat(new Query(query).names()).as(title(panel)).isNotEmpty();
        assertThat(new Query(query).problems(METERS)).as(title(panel)).isEmpty();
      }
    }
  }

  @Test
  void every_meter_is_on_a_panel() {
    Set<String> shown = new TreeSet<>();
    panels().forEach(panel -> queries(panel).forEach(query -> shown.addAll(new Query(query).names())));
    assertThat(shown).containsAll(METERS.keySet());
  }

  @Test
  void every_panel_has_a_description_a_unit_and_names_for_its_lines() {
    assertThat(panels()).isNotEmpty();
    for (JsonNode panel : panels()) {
      assertThat(panel.path("description").asText()).as(title(panel)).endsWith(".");
      assertThat(panel.at("/fieldConfig/defaults/unit").asText()).as(title(panel)).isNotBlank();
      assertThat(panel.path("targets")).as(title(panel)).isNotEmpty();
      panel.get("targets").forEach(
          target -> assertThat(target.path("legendFormat").asText()).as(title(panel)).contains("{{"));
    }
  }

  @Test
  void queue_and_worker_can_be_chosen_and_so_can_the_data_source() {
    List<String> variables = new ArrayList<>();
    DASHBOARD.at("/templating/list").forEach(variable -> variables.add(variable.get("name").asText()));
    assertThat(variables).containsExactly("datasource", "queue", "worker");
    for (JsonNode source : DASHBOARD.findValues("datasource")) {
      assertThat(source.get("uid").asText()).isEqualTo("${datasource}");
    }
    for (JsonNode panel : panels()) {
      for (String query : queries(panel)) {
        for (String selector : new Query(query).selectors()) {
          if (!selector.startsWith("queueworker_gate_purge")) {
            assertThat(selector).as(title(panel)).contains("queue=~\"$queue\"");
          }
        }
      }
    }
  }

  @Test
  void panels_have_ids_of_their_own_and_do_not_overlap() {
    Set<Integer> ids = new HashSet<>();
    Set<String> taken = new HashSet<>();
    for (JsonNode panel : DASHBOARD.get("panels")) {
      assertThat(ids.add(panel.get("id").asInt())).as(title(panel)).isTrue();
      JsonNode place = panel.get("gridPos");
      int right = place.get("x").asInt() + place.get("w").asInt();
      assertThat(right).as(title(panel)).isLessThanOrEqualTo(24);
      for (int x = place.get("x").asInt(); x < right; x++) {
        for (int y = place.get("y").asInt(); y < place.get("y").asInt() + place.get("h").asInt(); y++) {
          assertThat(taken.add(x + " " + y)).as(title(panel)).isTrue();
        }
      }
    }
  }

  /** All but the headings. */
  private static List<JsonNode> panels() {
    List<JsonNode> panels = new ArrayList<>();
    for (JsonNode panel : DASHBOARD.get("panels")) {
      if (!panel.get("type").asText().equals("row")) {
        panels.add(panel);
      }
    }
    return panels;
  }

  private static List<String> queries(JsonNode panel) {
    return panel.get("targets").findValuesAsText("expr");
  }

  private static String title(JsonNode panel) {
    return panel.path("title").asText();
  }
}
