package io.queueworker.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.HealthReason.Kind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The runbook has a section for each alert and no other, and all links of the pages for operators lead somewhere. */
class RunbookTest {

  private static final Pattern LINK = Pattern.compile("\\[[^\\]]*]\\(([^)#\\s]*)(?:#([^)\\s]*))?\\)", Pattern.DOTALL);

  @Test
  void it_has_a_section_for_each_alert_and_for_no_other() {
    assertThat(Runbook.read().sections("Alerts").keySet())
        .containsExactlyInAnyOrderElementsOf(Operations.alerts().stream().map(Alert::name).toList());
  }

  @Test
  void it_has_a_section_for_each_reason_that_health_gives_and_for_no_other_in_the_same_order() {
    assertThat(Runbook.read().sections("Health reasons").keySet())
        .containsExactlyElementsOf(Arrays.stream(Kind.values()).map(Kind::name).toList());
    assertThat(Runbook.anchors(Operations.text("operations/runbook.md")))
        .containsAll(Arrays.stream(Kind.values()).map(Kind::anchor).toList());
  }

  @ParameterizedTest
  @ValueSource(strings = {"Alerts", "Health reasons"})
  void each_section_says_symptom_what_the_worker_shows_cause_and_what_to_do(String chapter) {
    Map<String, List<String>> sections = Runbook.read().sections(chapter);
    assertThat(sections).isNotEmpty();
    sections.forEach(
        (heading, lines) -> assertThat(lines.stream().filter(line -> line.startsWith("- **")).toList())
            .as(heading)
            .satisfiesExactly(
                line -> assertThat(line).startsWith("- **Symptom:** "),
                line -> assertThat(line).startsWith("- **What the worker shows:** "),
                line -> assertThat(line).startsWith("- **Cause:** "),
                line -> assertThat(line).startsWith("- **What to do:** ")));
  }

  @Test
  void what_it_quotes_of_the_log_is_what_workers_say() throws Exception {
    QuotedLines quoted = QuotedLines.ofCore();
    List<String> items = List.of(Operations.text("operations/runbook.md").replaceAll("\n +", " ").split("\n", -1));
    List<String> shown = items.stream().filter(item -> item.startsWith("- **What the worker shows:** ")).toList();
    assertThat(shown).isNotEmpty().allSatisfy(item -> assertThat(quoted.unknownIn(item)).as(item).isEmpty());
    assertThat(quoted.unknownIn("`a delete failed (…)`, `a delete went wrong (…)`"))
        .containsExactly("a delete went wrong (…)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"runbook.md", "capacity.md", "../health.md", "../metrics.md"})
  void every_link_leads_to_a_page_and_a_heading(String page) throws Exception {
    assertThat(broken(page, Operations.text("operations/" + page))).isEmpty();
  }

  @Test
  void control_a_link_to_nowhere_is_found() throws Exception {
    assertThat(
        broken("runbook.md", "# A b\n[a](#a-b) [b](#c) [c](capacity.md) [d](capacity.md#nothing) [e](missing.md)"))
        .containsExactly("#c", "capacity.md#nothing", "missing.md");
  }

  private static List<String> broken(String page, String text) throws Exception {
    List<String> broken = new ArrayList<>();
    Matcher links = LINK.matcher(text);
    while (links.find()) {
      String to = links.group(1);
      String anchor = links.group(2);
      Path here = Operations.directory().resolve(page);
      Path file = to.isEmpty() ? here : here.resolveSibling(to);
      boolean there = !to.startsWith("http") && Files.exists(file);
      String target = to.isEmpty() ? text : there ? Files.readString(file) : "";
      if (!there || (anchor != null && !Runbook.anchors(target).contains(anchor))) {
        broken.add(to + (anchor == null ? "" : "#" + anchor));
      }
    }
    return broken;
  }
}
