package io.queueworker.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each example run as a user would, in a process of its own. What makes it fail is in {@link AuditTest}. */
@Tag("elasticmq")
@Execution(ExecutionMode.CONCURRENT)
class ExamplesTest {

  @TempDir private Path directory;

  @Test
  void the_first_worker_does_three_orders() throws Exception {
    try (Program program = Program.start(directory, FirstWorkerMain.class)) {
      assertThat(program.awaitExit()).isZero();

      assertThat(program.lines())
          .containsExactly("{\"example\":\"first-worker\",\"sent\":3,\"effects\":3,\"leftOnQueue\":0}");
    }
  }

  @Test
  void the_advised_visibility_timeout_ends_redeliveries() throws Exception {
    try (Program program = Program.start(directory, SizingMain.class, "html=" + directory.resolve("page.html"))) {
      assertThat(program.awaitExit()).isZero();

      JsonNode json = new ObjectMapper().readTree(program.lines().getLast());
      assertThat(json.get("example").asText()).isEqualTo("sizing");
      assertThat(json.get("tooShort").get("verdict").asText()).isEqualTo("TOO_SHORT");
      assertThat(json.get("tooShort").get("redeliveries").asInt()).isPositive();
      assertThat(json.get("tooLong").get("verdict").asText()).isEqualTo("TOO_LONG");
      assertThat(json.get("advised").get("verdict").asText()).isEqualTo("FITS");
      assertThat(json.get("advised").get("redeliveries").asInt()).isZero();
      assertThat(json.get("advisedWithHeartbeat").get("verdict").asText()).isEqualTo("FITS");
      assertThat(json.get("advisedWithHeartbeat").get("redeliveries").asInt()).isZero();
      assertThat(program.lines()).anyMatch(line -> line.startsWith("Advice without extensions: visibility timeout "));
      assertThat(Jsoup.parse(Files.readString(directory.resolve("page.html"))).select("[data-mark]"))
          .extracting(mark -> mark.attr("data-mark"))
          .contains("p99", "p99-bound", "today", "without-extensions", "with-heartbeat");
    }
  }

  @Test
  void a_probe_sees_a_worker_that_has_lost_its_queue() throws Exception {
    try (Program program = Program.start(directory, HealthMain.class)) {
      assertThat(program.awaitExit()).isZero();

      JsonNode json = new ObjectMapper().readTree(program.lines().getLast());
      assertThat(json.get("example").asText()).isEqualTo("health");
      assertThat(json.get("new").toString())
          .isEqualTo("{\"health\":503,\"live\":200,\"ready\":503,\"status\":\"DOWN\",\"reasons\":[\"NOT_STARTED\"]}");
      assertThat(json.get("running").toString())
          .isEqualTo("{\"health\":200,\"live\":200,\"ready\":200,\"status\":\"UP\",\"reasons\":[]}");
      assertThat(json.get("paused").toString())
          .isEqualTo(
              "{\"health\":200,\"live\":200,\"ready\":200,\"status\":\"DEGRADED\",\"reasons\":[\"PAUSED_BY_HAND\"]}");
      JsonNode gone = json.get("queueGone");
      assertThat(gone.get("status").asText()).isEqualTo("DOWN");
      assertThat(gone.get("health").asInt()).isEqualTo(503);
      assertThat(gone.get("live").asInt()).isEqualTo(503);
      assertThat(gone.get("ready").asInt()).isEqualTo(503);
      // With RECEIVES_FAIL behind it or not: the receive under way may hang until then.
      assertThat(gone.get("reasons").get(0).asText()).isEqualTo("NO_RECEIVE");
      assertThat(json.get("stateThen").asText()).isEqualTo("RUNNING");
      assertThat(json.get("closed").toString())
          .isEqualTo("{\"health\":503,\"live\":200,\"ready\":503,\"status\":\"DOWN\",\"reasons\":[\"CLOSED\"]}");
    }
  }

  @Test
  void a_circuit_breaker_keeps_messages_from_the_dead_letters_while_a_service_is_down() throws Exception {
    try (Program program = Program.start(directory, BreakerMain.class)) {
      assertThat(program.awaitExit()).isZero();

      JsonNode json = new ObjectMapper().readTree(program.lines().getLast());
      assertThat(json.get("example").asText()).isEqualTo("breaker");
      assertThat(json.get("withoutBreaker").get("deadLettered").asInt()).isPositive();
      assertThat(json.get("withBreaker").get("sent").asInt()).isEqualTo(100);
      assertThat(json.get("withBreaker").get("reserved").asInt()).isEqualTo(100);
      assertThat(json.get("withBreaker").get("deadLettered").asInt()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"h2", "postgres"})
  void orders_have_one_effect_each_on_a_bad_day(String db) throws Exception {
    try (Program program = Program.start(directory, OrdersMain.class, "orders=40", "db=" + db)) {
      assertThat(program.awaitExit()).isZero();

      List<String> lines = program.lines();
      assertThat(lines).filteredOn(line -> line.startsWith("{")).containsExactly(lines.getLast());
      JsonNode json = new ObjectMapper().readTree(lines.getLast());
      assertThat(json.get("example").asText()).isEqualTo("orders");
      assertThat(json.get("sent").asInt()).isEqualTo(40);
      assertThat(json.get("effects").asInt()).isEqualTo(40);
      assertThat(json.get("suppressed").asInt()).isPositive();
      assertThat(json.get("redeliveries").asInt()).isPositive();
      assertThat(json.get("kills").asInt()).isEqualTo(1);
      assertThat(json.get("leftOnQueue").asInt()).isZero();
      assertThat(json.get("leftInFlight").asInt()).isZero();
      assertThat(lines).as("progress").hasSizeGreaterThan(5);
      assertThat(program.awaitChildrenEnd()).isGreaterThanOrEqualTo(3);
    }
  }

  @Test
  void groups_keep_their_order_although_a_head_never_works_and_a_worker_is_killed() throws Exception {
    try (Program program = Program.start(directory, FifoGroupMain.class)) {
      assertThat(program.awaitExit()).isZero();

      assertThat(program.lines().getLast())
          .isEqualTo(
              "{\"example\":\"fifo-groups\",\"groups\":10,\"messages\":120,\"effects\":119,\"groupsInOrder\":10,"
                  + "\"deadLetters\":\"group-0/0\",\"kills\":1,\"leftOnQueue\":0}");
      assertThat(program.lines()).contains("group-9 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]");
    }
  }

  @Test
  void a_fifo_queue_and_a_standard_one_do_the_same_messages() throws Exception {
    try (Program program = Program.start(directory, FifoThroughputMain.class, "groups=40", "rounds=1")) {
      assertThat(program.awaitExit()).isZero();

      JsonNode json = new ObjectMapper().readTree(program.lines().getLast());
      assertThat(json.get("inOrder").asBoolean()).isTrue();
      assertThat(json.get("onceEach").asBoolean()).isTrue();
      assertThat(json.get("ratio").get(0).asDouble()).isPositive();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"h2", "postgres"})
  void the_gates_table_grows_by_a_row_for_each_key_and_a_purge_deletes_them(String db) throws Exception {
    try (Program program = Program.start(directory, GateGrowthMain.class, "rows=300", "db=" + db)) {
      assertThat(program.awaitExit()).isZero();

      JsonNode json = new ObjectMapper().readTree(program.lines().getLast());
      assertThat(json.get("example").asText()).isEqualTo("gate-growth");
      assertThat(json.get("rows").asInt()).isEqualTo(300);
      assertThat(json.has("bytesPerRow")).isEqualTo(db.equals("postgres"));
      assertThat(json.get("purgedPerSecond").asInt()).isPositive();
      assertThat(json.get("left").asInt()).isZero();
    }
  }

  @Test
  void payments_are_charged_once_although_a_worker_dies_after_a_charge() throws Exception {
    JsonNode json = payment(0);
    assertThat(json.get("orders").asInt()).isEqualTo(20);
    assertThat(json.get("charges").asInt()).isEqualTo(20);
    assertThat(json.get("doubleCharges").asInt()).isZero();
    assertThat(json.get("repeatedCalls").asInt()).isPositive();
    assertThat(json.get("completed").asInt()).isEqualTo(20);
    assertThat(json.get("kills").asInt()).isEqualTo(1);
    assertThat(json.get("left").asInt()).isZero();
  }

  @Test
  void payments_without_idempotency_keys_are_charged_twice_when_a_worker_dies_after_a_charge() throws Exception {
    JsonNode json = payment(1, "keys=off");
    assertThat(json.get("doubleCharges").asInt()).isPositive();
    assertThat(json.get("repeatedCalls").asInt()).isZero();
    assertThat(json.get("completed").asInt()).isEqualTo(20);
  }

  private JsonNode payment(int exitCode, String... more) throws Exception {
    List<String> properties = new ArrayList<>(List.of("orders=20"));
    properties.addAll(List.of(more));
    try (Program program = Program.start(directory, PaymentMain.class, properties.toArray(String[]::new))) {
      assertThat(program.awaitExit()).isEqualTo(exitCode);
      JsonNode json = new ObjectMapper().readTree(program.lines().getLast());
      assertThat(json.get("example").asText()).isEqualTo("payment");
      return json;
    }
  }

  @Test
  void poison_messages_are_rejected_with_their_reasons_and_their_neighbours_do_not_notice() throws Exception {
    try (Program program = Program.start(directory, PoisonMessageMain.class)) {
      assertThat(program.awaitExit()).isZero();

      JsonNode json = new ObjectMapper().readTree(program.lines().getLast());
      assertThat(json.get("example").asText()).isEqualTo("poison-message");
      assertThat(json.get("handledOnce").asInt()).isEqualTo(31);
      assertThat(json.get("rejected").asInt()).isEqualTo(3);
      assertThat(json.get("attemptsOfRejected").asInt()).isEqualTo(5);
      assertThat(json.get("additionalReceives").asInt()).isZero();
      assertThat(json.get("leftOnQueue").asInt()).isZero();
      assertThat(json.get("reasons"))
          .extracting(JsonNode::asText)
          .anyMatch(reason -> reason.startsWith("the body could not be decoded: com.fasterxml.jackson"))
          .contains("there is no such customer")
          .contains("the handler failed: java.lang.IllegalStateException: the price is below zero");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"h2", "postgres"})
  void rejected_orders_have_one_effect_although_their_redrive_is_killed(String db) throws Exception {
    JsonNode json = redrive(0, "db=" + db);
    assertThat(json.get("sent").asInt()).isEqualTo(20);
    assertThat(json.get("rejected").asInt()).isEqualTo(5);
    assertThat(json.get("listedWithReason").asInt()).isEqualTo(5);
    assertThat(json.get("effects").asInt()).isEqualTo(20);
    assertThat(json.get("suppressed").asInt()).isEqualTo(1);
    assertThat(json.get("kills").asInt()).isEqualTo(1);
    assertThat(json.get("left").asInt()).isZero();
  }

  @Test
  void without_the_first_id_the_order_on_which_the_redrive_died_has_two_effects() throws Exception {
    JsonNode json = redrive(1, "keys=off");
    assertThat(json.get("effects").asInt()).isEqualTo(21);
    assertThat(json.get("orders").asInt()).isEqualTo(20);
  }

  private JsonNode redrive(int exitCode, String... more) throws Exception {
    List<String> properties = new ArrayList<>(List.of("orders=20"));
    properties.addAll(List.of(more));
    try (Program program = Program.start(directory, RedriveMain.class, properties.toArray(String[]::new))) {
      assertThat(program.awaitExit()).isEqualTo(exitCode);
      JsonNode json = new ObjectMapper().readTree(program.lines().getLast());
      assertThat(json.get("example").asText()).isEqualTo("redrive");
      return json;
    }
  }

  @Test
  void workers_do_not_outlive_a_program_that_was_killed() throws Exception {
    try (Program program = Program.start(directory, OrdersMain.class)) {
      program.awaitChildren(2);

      program.kill();

      assertThat(program.awaitChildrenEnd()).isGreaterThanOrEqualTo(2);
    }
  }

  @Test
  void a_wrong_setting_ends_the_program_with_an_exit_code() throws Exception {
    try (Program program = Program.start(directory, OrdersMain.class, "orders=many")) {
      assertThat(program.awaitExit()).isEqualTo(1);
      assertThat(program.lines()).isEmpty();
    }
  }
}
