package io.queueworker.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.testkit.elasticmq.ElasticMqTest;
import io.queueworker.testkit.elasticmq.TestQueue;
import io.queueworker.testkit.elasticmq.TestQueueHandle;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Leases while handlers keep all carriers of virtual threads. The worker runs in a process of its own, so that the carriers
 * can be counted out and ElasticMQ lives elsewhere.
 */
@ElasticMqTest
class StarvedCarriersTest {

  private static final int VISIBILITY = 3;
  private static final Duration THREE_VISIBILITIES = Duration.ofSeconds(3 * VISIBILITY);
  private static final int TWO = 2;
  private static final int UNPINNED_SINCE = 24;

  /** All cores of this machine, and two carriers, which is the same on a small one. */
  static Stream<Integer> carriers() {
    return Stream.of(TWO, Math.max(TWO, Runtime.getRuntime().availableProcessors())).distinct();
  }

  @ParameterizedTest
  @MethodSource("carriers")
  void S35_handlers_that_compute_without_a_pause_lose_no_lease(
      int carriers, @TestQueue(visibilitySeconds = VISIBILITY, maxReceiveCount = 3) TestQueueHandle queue)
      throws Exception {
    int messages = 2 * carriers;
    Map<String, Long> told = run(queue, carriers, "compute", messages, THREE_VISIBILITIES);
    System.out.println("computing on " + carriers + " carriers: " + told);
    assertThat(told).containsEntry("started", (long) messages).containsEntry("lost", 0L);
    assertThat(told).containsEntry("receivedAgain", 0L);
    assertThat(told.get("extended")).isGreaterThanOrEqualTo(messages);
    assertThat(told.get("longestGapMillis"))
        .as("control: what a virtual thread beside the handlers had to wait")
        .isGreaterThan(Duration.ofSeconds(VISIBILITY).toMillis());
  }

  @Test
  void S35_handlers_that_wait_inside_a_monitor_lose_no_lease(
      @TestQueue(visibilitySeconds = VISIBILITY, maxReceiveCount = 3) TestQueueHandle queue) throws Exception {
    int messages = 200;
    // Where a monitor pins its thread, two wait at a time: then all together outlast the visibility timeout, not each.
    boolean pinned = Runtime.version().feature() < UNPINNED_SINCE;
    Duration each = pinned ? Duration.ofMillis(100) : THREE_VISIBILITIES;
    Map<String, Long> told = run(queue, TWO, "monitor", messages, each);
    System.out.println("waiting inside a monitor on 2 carriers: " + told);
    assertThat(told).containsEntry("started", (long) messages).containsEntry("lost", 0L);
    assertThat(told).containsEntry("receivedAgain", 0L);
    assertThat(told.get("extended")).isGreaterThanOrEqualTo(messages / 2);
  }

  private static Map<String, Long> run(
      TestQueueHandle queue, int carriers, String mode, int messages, Duration each)
      throws IOException, InterruptedException {
    queue.send(IntStream.range(0, messages).mapToObj(Integer::toString).toArray(String[]::new));
    Process process =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Djdk.virtualThreadScheduler.parallelism=" + carriers,
            "-Djdk.virtualThreadScheduler.maxPoolSize=" + carriers,
            "-Daws.accessKeyId=test",
            "-Daws.secretAccessKey=test",
            "-Daws.region=eu-west-1",
            "-cp",
            System.getProperty("java.class.path"),
            StarvingMain.class.getName(),
            queue.url(),
            mode,
            Integer.toString(messages),
            Long.toString(each.toMillis()))
            .redirectErrorStream(true)
            .start();
    try {
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor()).as(output).isZero();
      queue.awaitEmpty(Rig.LONG);
      assertThat(queue.deadLetters().counts().total()).isZero();
      return figures(output);
    } finally {
      process.destroyForcibly();
    }
  }

  private static Map<String, Long> figures(String output) {
    String last = output.lines().reduce("", (before, line) -> line);
    return Pattern.compile("(\\w+)=(\\d+)")
        .matcher(last)
        .results()
        .collect(
            Collectors.toMap(
                (MatchResult found) -> found.group(1),
                found -> Long.parseLong(found.group(2)),
                (a, b) -> b,
                TreeMap::new));
  }
}
