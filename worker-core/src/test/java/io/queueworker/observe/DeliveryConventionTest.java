package io.queueworker.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.common.KeyValue;
import io.queueworker.queue.Receipt;
import io.queueworker.queue.ReceivedMessage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

/** What an attempt is called in traces and in the log's context, and whether docs/tracing.md says so. */
class DeliveryConventionTest {

  private final ReceivedMessage message =
      new ReceivedMessage(
          "m1", new Receipt("r1"), "body", Map.of("traceparent", "sent", "x", "y"), 2, Optional.empty(),
          Optional.of("blue\nqueue=forged"), Map.of("AWSTraceHeader", "Root=1"));
  private final DeliveryContext context = new DeliveryContext("orders", "w1", message);
  private final DeliveryConvention convention = new DeliveryConvention();

  @AfterEach
  void clear() {
    MDC.clear();
  }

  @Test
  void the_documentation_lists_the_keys_and_says_which_have_few_values() throws Exception {
    context.cameTo(DeliveryOutcome.FAILED, new IllegalStateException("no"));
    Stream<String> few =
        convention.getLowCardinalityKeyValues(context).stream().map(key -> key.getKey() + " yes");
    Stream<String> many =
        convention.getHighCardinalityKeyValues(context).stream().map(key -> key.getKey() + " no");

    assertThat(rows(3).map(row -> row.get(0) + " " + row.get(2)).filter(row -> row.matches("[a-z_.]+ (yes|no)")))
        .containsExactlyInAnyOrderElementsOf(Stream.concat(few, many).toList());
  }

  @Test
  void the_documentation_lists_the_outcomes() throws Exception {
    List<String> twoColumns = rows(2).map(row -> row.get(0)).toList();

    assertThat(twoColumns).containsSubsequence(Arrays.stream(DeliveryOutcome.values()).map(DeliveryOutcome::tag)
        .filter(tag -> !tag.equals("unknown")).toList()).contains("unknown");
    assertThat(twoColumns).contains(LogContext.QUEUE, LogContext.MESSAGE, LogContext.RECEIVE_COUNT, LogContext.GROUP);
    assertThat(twoColumns).hasSize(2 + DeliveryOutcome.values().length + 4);
  }

  @Test
  void keys_of_few_values_are_the_same_whatever_happened() {
    List<String> before = convention.getLowCardinalityKeyValues(context).stream().map(KeyValue::getKey).toList();
    context.cameTo(DeliveryOutcome.FAILED, new IllegalStateException("no"));

    assertThat(convention.getLowCardinalityKeyValues(context).stream().map(KeyValue::getKey)).isEqualTo(before);
  }

  @Test
  void the_services_own_header_is_offered_under_the_name_that_propagators_ask_for() {
    assertThat(context.getGetter().get(message, "traceparent")).isEqualTo("sent");
    assertThat(context.getGetter().get(message, "x-amzn-trace-id")).isEqualTo("Root=1");
    assertThat(context.getGetter().get(message, "AWSTraceHeader")).isNull();
    assertThat(context.getGetter().get(message, "b3")).isNull();
    ReceivedMessage both =
        new ReceivedMessage(
            "m1", new Receipt("r1"), "body", Map.of(DeliveryContext.XRAY_HEADER, "Root=2"), 1, Optional.empty(),
            Optional.empty(), Map.of("AWSTraceHeader", "Root=1"));
    assertThat(context.getGetter().get(both, DeliveryContext.XRAY_HEADER)).isEqualTo("Root=2");
  }

  @Test
  void the_logs_context_forges_no_line_and_leaves_the_entries_of_others_alone() {
    MDC.put("mine", "1");
    Surroundings surroundings = new Surroundings("orders", "w1", Observations.none(), event -> {});

    assertThat(surroundings.enter(message)).isSameAs(Observed.NONE);
    assertThat(MDC.getCopyOfContextMap()).isEqualTo(
        Map.of(
            "mine", "1", LogContext.QUEUE, "orders", LogContext.MESSAGE, "m1", LogContext.RECEIVE_COUNT, "2",
            LogContext.GROUP, "blue queue=forged"));
    surroundings.leave();
    surroundings.leave();
    assertThat(MDC.getCopyOfContextMap()).isEqualTo(Map.of("mine", "1"));
  }

  /** The rows of the documentation's tables with so many columns, without backquotes. */
  private static Stream<List<String>> rows(int columns) throws Exception {
    return Files.readString(Path.of("..", "docs", "tracing.md")).lines().filter(line -> line.startsWith("| "))
        .map(line -> Arrays.stream(line.split("\\|")).skip(1).map(cell -> cell.strip().replace("`", "")).toList())
        .filter(row -> row.size() == columns);
  }
}
