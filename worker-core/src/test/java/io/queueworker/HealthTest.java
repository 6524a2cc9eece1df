package io.queueworker;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.Health.DrainProgress;
import io.queueworker.Health.Oldest;
import io.queueworker.Health.QueueSample;
import io.queueworker.Health.Status;
import io.queueworker.HealthReason.Kind;
import io.queueworker.queue.MessageCounts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class HealthTest {

  private static final Instant AT = Instant.parse("2026-11-30T12:00:00Z");

  private final Health health =
      new Health(
          Status.DOWN,
          List.of(
              new HealthReason(Kind.NO_RECEIVE, Status.DOWN, "said \"no\"\n\u2028 \\"),
              new HealthReason(Kind.DELETES_FAIL, Status.DEGRADED, "words")),
          WorkerState.DRAINING,
          Optional.of(AT),
          Optional.of(Duration.ofSeconds(150)),
          Duration.ofMillis(1500),
          3,
          Duration.ofSeconds(90),
          Optional.of(new Oldest("m1", 2, Duration.ofSeconds(80))),
          List.of("worker-orders-handler-m1"),
          Optional.of("circuit breaker payments is OPEN"),
          Map.of(PauseReason.BREAKER_OPEN, "it is open"),
          Set.of("sqs:DeleteMessage"),
          Optional.of(new DrainProgress(5, 3, Duration.ofSeconds(12))),
          Optional.of(new QueueSample(new MessageCounts(1, 2, 3), Optional.of(new MessageCounts(4, 5, 6)), AT)),
          List.of("a warning"));

  @Test
  void json_has_every_field_and_escapes_what_others_wrote() {
    assertThat(health.json())
        .isEqualTo(
            "{\"status\":\"DOWN\",\"reasons\":["
                + "{\"kind\":\"NO_RECEIVE\",\"status\":\"DOWN\","
                + "\"words\":\"said \\\"no\\\"\\u000a\\u2028 \\\\\",\"anchor\":\"no_receive\"},"
                + "{\"kind\":\"DELETES_FAIL\",\"status\":\"DEGRADED\",\"words\":\"words\",\"anchor\":\"deletes_fail\"}],"
                + "\"state\":\"DRAINING\",\"lastReceive\":\"2026-11-30T12:00:00Z\",\"receiveDueMillis\":150000,"
                + "\"beatsLateMillis\":1500,\"inFlight\":3,\"heldLongestMillis\":90000,"
                + "\"oldest\":{\"messageId\":\"m1\",\"receiveCount\":2,\"runningMillis\":80000},"
                + "\"stuck\":[\"worker-orders-handler-m1\"],\"breaker\":\"circuit breaker payments is OPEN\","
                + "\"pauses\":{\"BREAKER_OPEN\":\"it is open\"},\"denied\":[\"sqs:DeleteMessage\"],"
                + "\"drain\":{\"inFlight\":5,\"left\":3,\"budgetLeftMillis\":12000},"
                + "\"sample\":{\"queue\":{\"visible\":1,\"notVisible\":2,\"delayed\":3},"
                + "\"deadLetters\":{\"visible\":4,\"notVisible\":5,\"delayed\":6},\"at\":\"2026-11-30T12:00:00Z\"},"
                + "\"warnings\":[\"a warning\"]}");
  }

  @Test
  void text_says_all_of_it_to_a_person() {
    assertThat(health.text().lines())
        .containsExactly(
            "DOWN: the worker is DRAINING, a receive last completed at 2026-11-30T12:00:00Z, one has been due for 2 min 30 s.",
            "DOWN NO_RECEIVE: said \"no\"",
            "\u2028 \\",
            "DEGRADED DELETES_FAIL: words",
            "3 in flight, the longest for 1 min 30 s, the oldest handler runs for 1 min 20 s on message m1, receive 2,"
                + " the latest beat is due for 1.5 s.",
            "The circuit breaker payments is OPEN.",
            "Paused, BREAKER_OPEN: it is open.",
            "Drain: 3 of 5 left, and 12 s of the budget.",
            "The queue had 1 visible, 2 hidden and 3 delayed, its dead-letter queue 4 visible, 5 hidden and 6 delayed, at"
                + " 2026-11-30T12:00:00Z.",
            "From the start: a warning.");
  }

  @Test
  void the_documentation_lists_every_kind_of_reason_and_every_field_of_the_json() throws Exception {
    String text = Files.readString(Path.of("../docs/health.md"));

    List<String> documented =
        Pattern.compile("(?m)^\\| `([A-Z_]+)` \\|").matcher(text).results().map(row -> row.group(1)).toList();
    assertThat(documented).containsExactlyElementsOf(Arrays.stream(Kind.values()).map(Kind::name).toList());
    assertThat(Pattern.compile("\"(\\w+)\":").matcher(health.json()).results().map(field -> field.group(1)))
        .filteredOn(field -> !field.equals("BREAKER_OPEN"))
        .allSatisfy(field -> assertThat(text).contains("`" + field + "`"));
  }
}
