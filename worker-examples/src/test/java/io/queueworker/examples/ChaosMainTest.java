package io.queueworker.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.queueworker.examples.chaos.ChaosMain;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Workers that are killed and frozen, in processes of their own, and what must happen when they are wrong on purpose. */
@Tag("elasticmq")
@Tag("postgres")
@Execution(ExecutionMode.CONCURRENT)
class ChaosMainTest {

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"elasticmq", "strict"})
  void kills_and_freezes_neither_lose_a_task_nor_do_one_twice(String queue) throws Exception {
    List<JsonNode> results = run(0, "queue=" + queue, "kills=10", "freezes=5");

    assertThat(results).singleElement().satisfies(json -> {
      assertThat(json.get("queue").asText()).isEqualTo(queue);
      assertThat(json.get("kills").asInt()).isGreaterThanOrEqualTo(10);
      assertThat(json.get("freezes").asInt()).isGreaterThanOrEqualTo(5);
      assertThat(json.get("lost").asInt()).isZero();
      assertThat(json.get("doubleEffects").asInt()).isZero();
      assertThat(json.get("leftOnQueue").asInt()).isZero();
      assertThat(json.get("leftInFlight").asInt()).isZero();
      assertThat(json.get("deadLetters").asInt()).isZero();
      assertThat(json.get("completedKeys").asInt()).isEqualTo(json.get("tasks").asInt()).isGreaterThanOrEqualTo(100);
      assertThat(json.get("messages").asInt()).as("some twice").isGreaterThan(json.get("tasks").asInt());
      assertThat(json.get("suppressed").asInt()).isPositive();
      assertThat(json.get("redeliveries").asInt()).isPositive();
      assertThat(json.get("inFlightAtKills").asInt()).isPositive();
      assertThat(json.get("recoverySeconds").get("messages").asInt()).isPositive();
      assertThat(json.has("trespasses")).as("ElasticMQ does not tell").isEqualTo(queue.equals("strict"));
      if (queue.equals("strict")) {
        assertThat(json.get("trespasses").get("unexplained").asInt()).isZero();
      }
    });
  }

  @Test
  void without_a_gate_tasks_are_done_twice() throws Exception {
    List<JsonNode> results =
        run(1, "queue=elasticmq", "control=gate-off", "kills=3", "freezes=2", "messages=10");

    assertThat(results).singleElement().satisfies(json -> {
      assertThat(json.get("doubleEffects").asInt()).isPositive();
      assertThat(json.get("lost").asInt()).isZero();
    });
  }

  @Test
  void with_the_delete_first_tasks_are_lost() throws Exception {
    List<JsonNode> results =
        run(1, "queue=elasticmq", "control=delete-first", "kills=2", "freezes=0", "messages=10");

    assertThat(results).singleElement().satisfies(json -> {
      assertThat(json.get("lost").asInt()).isPositive();
      assertThat(json.get("doubleEffects").asInt()).isZero();
      assertThat(json.get("leftInFlight").asInt()).isZero();
    });
  }

  @Test
  void not_even_a_stopped_worker_outlives_a_program_that_was_killed() throws Exception {
    String log = "log=" + directory;
    try (Program program = Program.start(directory, ChaosMain.class, "queue=elasticmq", "kills=0", "freezes=1", log)) {
      program.awaitLine("is stopped for");

      program.kill();

      assertThat(program.awaitChildrenEnd()).as("two servers, four workers, the shell of the stop")
          .isGreaterThanOrEqualTo(7);
    }
  }

  private List<JsonNode> run(int exitCode, String... properties) throws Exception {
    List<JsonNode> results = new ArrayList<>();
    List<String> all = new ArrayList<>(List.of(properties));
    all.add("log=" + directory);
    try (Program program = Program.start(directory, ChaosMain.class, all.toArray(String[]::new))) {
      assertThat(program.awaitExit()).isEqualTo(exitCode);
      for (String line : program.lines()) {
        if (line.startsWith("{")) {
          results.add(new ObjectMapper().readTree(line));
        }
      }
      assertThat(program.awaitChildrenEnd()).isGreaterThanOrEqualTo(6);
    }
    assertThat(results).allSatisfy(json -> assertThat(json.get("example").asText()).isEqualTo("chaos"));
    return results;
  }
}
