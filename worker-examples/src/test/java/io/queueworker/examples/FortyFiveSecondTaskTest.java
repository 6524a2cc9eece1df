package io.queueworker.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** The exercise run as a user would, fifteen times as fast, in a process of its own, and its page in a browser. */
@Tag("elasticmq")
@Isolated("a lease of two seconds is short for a busy machine")
class FortyFiveSecondTaskTest {

  @TempDir private static Path run;

  private static int exitCode;
  private static List<String> lines = List.of();

  @TempDir private Path directory;

  @BeforeAll
  static void run() throws Exception {
    try (Program program = Program.start(run, FortyFiveSecondTaskMain.class, "speed=15", "html=" + page())) {
      exitCode = program.awaitExit();
      lines = program.lines();
    }
  }

  private static Path page() {
    return run.resolve("page.html");
  }

  private static JsonNode json() throws Exception {
    assertThat(exitCode).as(String.join("\n", lines)).isZero();
    return new ObjectMapper().readTree(lines.getLast());
  }

  @Test
  void two_workers_work_on_one_event_and_its_effect_stays_single() throws Exception {
    JsonNode json = json();

    assertThat(json.get("example").asText()).isEqualTo("forty-five-seconds");
    assertThat(json.get("part1").get("runs").asInt()).isEqualTo(1);
    assertThat(json.get("part1").get("effects").asInt()).isEqualTo(1);
    assertThat(json.get("part1").get("extensions").asInt()).isPositive();
    assertThat(json.get("part2").get("runs").asInt()).isEqualTo(2);
    assertThat(json.get("part2").get("effects").asInt()).isEqualTo(1);
    assertThat(json.get("part2").get("overlapSeconds").asDouble()).isPositive();
    assertThat(json.get("part2").get("suppressed").asInt()).isEqualTo(1);
    assertThat(json.get("leftOnQueue").asInt()).isZero();
    assertThat(String.join("\n", lines))
        .containsSubsequence(
            "Part 1", "extended", "COMMITS", "deletes",
            "Part 2", "extended", "EXTENSION FAILED", "LEASE ENDS", "count 2", "handler starts",
            "two workers work on one message", "end of the overlap", "COMMITS",
            "SUPPRESSED, no second effect: worker-1 has committed this key", "deletes the message");
  }

  @Test
  @Tag("browser")
  void a_browser_shows_the_overlap_that_the_program_printed() throws Exception {
    double overlap = json().get("part2").get("overlapSeconds").asDouble();

    TimelinePageCheck.check(new Browser(directory).open(page()), overlap);
  }

  @Test
  @Tag("browser")
  void a_page_with_a_script_error_is_not_accepted() throws Exception {
    double overlap = json().get("part2").get("overlapSeconds").asDouble();
    Browser.Visit visit = open(unguarded().replace("</main>", "</main><script>nobodyKnows();</script>"));

    assertThatThrownBy(() -> TimelinePageCheck.check(visit, overlap))
        .hasMessageContaining("what the page wrote to the console")
        .hasMessageContaining("nobodyKnows is not defined");
  }

  @Test
  @Tag("browser")
  void a_page_that_loads_something_is_not_accepted() throws Exception {
    double overlap = json().get("part2").get("overlapSeconds").asDouble();
    Browser.Visit visit = open(unguarded().replace("</main>", "</main><img src='http://127.0.0.1:9/a.png'>"));

    assertThatThrownBy(() -> TimelinePageCheck.check(visit, overlap))
        .hasMessageContaining("what the page tried to load")
        .hasMessageContaining("http://127.0.0.1:9/a.png");
  }

  @Test
  @Tag("browser")
  void a_page_whose_policy_is_broken_says_so_on_the_console() throws Exception {
    double overlap = json().get("part2").get("overlapSeconds").asDouble();
    Browser.Visit visit = open(Files.readString(page()).replace("</main>", "</main><img src='a.png'>"));

    assertThatThrownBy(() -> TimelinePageCheck.check(visit, overlap))
        .hasMessageContaining("Content Security Policy");
  }

  @Test
  @Tag("browser")
  void a_page_without_the_overlap_is_not_accepted() throws Exception {
    double overlap = json().get("part2").get("overlapSeconds").asDouble();
    Browser.Visit visit = open(Files.readString(page()).replace("data-overlap-seconds", "data-nothing"));

    assertThatThrownBy(() -> TimelinePageCheck.check(visit, overlap)).hasMessageContaining("marked overlaps");
  }

  /** The page without the policy that forbids it to load or run anything. */
  private static String unguarded() throws Exception {
    return Files.readString(page()).replace("Content-Security-Policy", "x-nothing");
  }

  private Browser.Visit open(String html) throws Exception {
    Path file = Files.writeString(directory.resolve("changed.html"), html);
    return new Browser(directory).open(file);
  }

  @Test
  void a_speed_that_would_break_seconds_ends_the_program_with_an_exit_code() throws Exception {
    try (Program program = Program.start(directory, FortyFiveSecondTaskMain.class, "speed=4")) {
      assertThat(program.awaitExit()).isEqualTo(1);
      assertThat(program.lines()).isEmpty();
    }
  }
}
