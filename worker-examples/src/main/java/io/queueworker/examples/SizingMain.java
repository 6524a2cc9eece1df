package io.queueworker.examples;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queueworker.SizingAdvice;
import io.queueworker.SizingAdvice.Advice;
import io.queueworker.testkit.elasticmq.ElasticMq;
import io.queueworker.testkit.timeline.SizingPage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Which visibility timeout fits a worker whose messages mostly take 200 ms, and one in twenty 6 s?
 *
 * <p>Before: one worker with a visibility timeout that is too short and one with a timeout that is too long, both without
 * heartbeat. After: the same messages with what {@code sizing()} advised, once without extensions and once with the
 * heartbeat. The queue is an ElasticMQ server in this process. Run it with {@code mvn -q compile exec:exec@sizing}; it also
 * draws what was measured and advised as a page for a browser, {@code target/sizing.html} unless {@code -Dhtml=FILE} names
 * another.
 */
public final class SizingMain {

  private static final Duration TOO_SHORT = Duration.ofSeconds(2);
  private static final Duration TOO_LONG = Duration.ofMinutes(30);

  private SizingMain() {}

  /** Ends with one line of JSON on standard output. */
  public static void main(String[] args) throws Exception {
    try (ElasticMq server = ElasticMq.start()) {
      List<SizingRun> before =
          sideBySide(
              new SizingRun(server, "too-short", TOO_SHORT, false),
              new SizingRun(server, "too-long", TOO_LONG, false));
      SizingAdvice measured = before.get(1).sizing();
      System.out.printf("As a plot: %s%n%n", SizingPage.of(measured).writeTo(page()).toUri());
      Advice advice = advice(measured);
      List<SizingRun> after =
          sideBySide(
              new SizingRun(server, "advised", advice.visibilityWithoutExtensions().value(), false),
              new SizingRun(server, "advised-heartbeat", advice.visibilityWithHeartbeat(), true));

      ObjectNode json =
          new ObjectMapper().createObjectNode().put("example", "sizing").put("messages", SizingRun.MESSAGES);
      json.set("tooShort", before.get(0).json());
      json.set("tooLong", before.get(1).json());
      json.set("advised", after.get(0).json());
      json.set("advisedWithHeartbeat", after.get(1).json());
      System.out.println(json);
    }
  }

  private static Path page() {
    String file = System.getProperty("html", "");
    return Path.of(file.isBlank() ? "target/sizing.html" : file.strip());
  }

  private static Advice advice(SizingAdvice sizing) {
    return sizing.advice().orElseThrow(() -> new IllegalStateException("no advice: " + sizing.text()));
  }

  private static List<SizingRun> sideBySide(SizingRun... runs) {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<CompletableFuture<Void>> all =
          Arrays.stream(runs).map(run -> CompletableFuture.runAsync(run::run, threads)).toList();
      all.forEach(CompletableFuture::join);
    }
    for (SizingRun run : runs) {
      System.out.println(run.text());
    }
    return List.of(runs);
  }
}
