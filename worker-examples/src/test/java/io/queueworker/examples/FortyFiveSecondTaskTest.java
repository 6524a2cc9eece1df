package io.queueworker.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The exercise run as a user would, fifteen times as fast, in a process of its own. */
@Tag("elasticmq")
class FortyFiveSecondTaskTest {

  @TempDir private Path directory;

  @Test
  void two_workers_work_on_one_event_and_its_effect_stays_single() throws Exception {
    try (Program program = Program.start(directory, FortyFiveSecondTaskMain.class, "speed=15")) {
      int exitCode = program.awaitExit();

      List<String> lines = program.lines();
      assertThat(exitCode).as(String.join("\n", lines)).isZero();
      JsonNode json = new ObjectMapper().readTree(lines.getLast());
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
              "two workers work on one event", "end of the overlap", "COMMITS",
              "SUPPRESSED, no second effect: worker-1 has committed this key", "deletes the message");
    }
  }

  @Test
  void a_speed_that_would_break_seconds_ends_the_program_with_an_exit_code() throws Exception {
    try (Program program = Program.start(directory, FortyFiveSecondTaskMain.class, "speed=4")) {
      assertThat(program.awaitExit()).isEqualTo(1);
      assertThat(program.lines()).isEmpty();
    }
  }
}
