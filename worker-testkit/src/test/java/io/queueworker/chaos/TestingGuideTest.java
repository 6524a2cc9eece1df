package io.queueworker.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.queueworker.MessageHandler;
import io.queueworker.QueueWorker;
import io.queueworker.testkit.chaos.Act;
import io.queueworker.testkit.chaos.Chaos;
import io.queueworker.testkit.chaos.ChaosFailure;
import io.queueworker.testkit.chaos.ChaosStep;
import io.queueworker.testkit.chaos.Trouble;
import io.queueworker.testkit.endpoint.HttpFault;
import io.queueworker.testkit.endpoint.Operation;
import io.queueworker.testkit.endpoint.ScriptedFault;
import io.queueworker.testkit.endpoint.ServiceError;
import io.queueworker.testkit.endpoint.StrictQueue;
import io.queueworker.testkit.endpoint.StrictSqs;
import io.queueworker.testkit.simulation.Fault;
import io.queueworker.testkit.simulation.SimulatedQueue;
import io.queueworker.testkit.simulation.SimulatedTiming;
import io.queueworker.testkit.timeline.Timeline;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What docs/testing.md shows to users: its Java is compiled and run here, its trail is what comes out, its tables are complete. */
@SuppressWarnings("SameNameButDifferent") // the example before and after its fix
class TestingGuideTest {

  private static final Path GUIDE = Path.of("..", "docs", "testing.md");
  private static final Path HERE = Path.of("src/test/java/io/queueworker/chaos/TestingGuideTest.java");

  /** A worker that is drawn. */
  private static final class Drawn {
    // from here
    void a_message_has_one_worker_at_a_time() {
      SimulatedTiming.run(1, timing -> {
        Timeline timeline = Timeline.in(timing);
        SimulatedQueue queue = SimulatedQueue.standard(timing, "orders");
        queue.send("an order");
        QueueWorker worker = QueueWorker.of(queue.connect())
            .handler(delivery -> timing.sleep(Duration.ofSeconds(45)))
            .inlineListener(timeline)
            .timing(timing)
            .start();
        timing.await(queue::isEmpty, Duration.ofMinutes(2));
        worker.close();
        System.out.println(timeline.text());
        timeline.writeTo(Path.of("target/timeline.html"));
        assertThat(timeline.overlaps()).isEmpty();
      });
    }
    // to here
  }

  /** The worked example as it is first written. */
  private static final class MailBeforeTheCommit {
    // from here
    /** Stores an order and tells the customer. */
    record PlaceOrder(Consumer<String> mails) {
      void handle(String order, Consumer<String> rows) {
        mails.accept("mail for " + order); // sent at once
        rows.accept(order); // committed together with the key
      }
    }
    // to here

    // from here
    void an_order_is_stored_once_and_has_one_mail() {
      Chaos.of(world -> {
        PlaceOrder handler = new PlaceOrder(world.outside()::call);
        return world.worker().once(world.database().gate(), delivery -> delivery.body(), (delivery, tx) -> {
          world.work(delivery);
          handler.handle(delivery.body(), tx::insert);
        });
      }).ignoringProperties().run();
    }
    // to here
  }

  /** The worked example as it is right. */
  private static final class MailInTheOutbox {
    // from here
    /** Stores an order and the mail that is to be sent for it. */
    record PlaceOrder() {
      void handle(String order, Consumer<String> rows) {
        rows.accept(order);
        rows.accept("mail for " + order); // a row too, in the same transaction
      }
    }
    // to here

    void an_order_is_stored_once_and_has_one_mail() {
      Chaos.of(world -> {
        PlaceOrder handler = new PlaceOrder();
        return world.worker().once(world.database().gate(), delivery -> delivery.body(), (delivery, tx) -> {
          world.work(delivery);
          handler.handle(delivery.body(), tx::insert);
        });
      }).ignoringProperties().run();
    }
  }

  @Test
  void a_mail_before_the_commit_is_found_out_with_the_trail_that_the_guide_shows() throws IOException {
    ChaosFailure failure =
        catchThrowableOfType(
            ChaosFailure.class, () -> new MailBeforeTheCommit().an_order_is_stored_once_and_has_one_mail());
    assertThat(blocks("text")).as("the trail in docs/testing.md; when the worker changed, paste what came out")
        .contains(failure.getMessage() + "\n");
  }

  @Test
  void a_mail_in_the_outbox_passes() {
    new MailInTheOutbox().an_order_is_stored_once_and_has_one_mail();
  }

  @Test
  void three_failed_deletes_over_http_leave_nothing_behind() {
    MessageHandler<String> handler = delivery -> {};
    Duration second = Duration.ofSeconds(1);
    // from here
    try (StrictSqs sqs = StrictSqs.start()) {
      StrictQueue orders = sqs.queue("orders").visibility(Duration.ofSeconds(10)).maxReceiveCount(3).create();
      ScriptedFault outage = orders.next(3, Operation.DELETE, HttpFault.error(ServiceError.internalFailure()));
      try (QueueWorker worker = QueueWorker.of(orders.connect()).pollWait(second).handler(handler).start()) {
        orders.send("a", "b", "c");
        orders.awaitEmpty(Duration.ofSeconds(30));
      }
      assertThat(outage.fired()).isEqualTo(3);
      assertThat(sqs.trespasses()).isEmpty();
    }
    // to here
  }

  @Test
  void the_worker_that_the_guide_draws_overlaps_nobody() throws IOException {
    new Drawn().a_message_has_one_worker_at_a_time();

    assertThat(Files.readString(Path.of("target/timeline.html"))).contains("handler 45.00 s");
  }

  @Test
  void the_guide_shows_code_that_compiles() throws IOException {
    String compiled =
        all("// from here\n(.*?)// to here\n", Files.readString(HERE)).stream().collect(Collectors.joining("\n"));
    assertThat(plain(String.join("\n", blocks("java")))).contains("Chaos.of(").isEqualTo(plain(compiled));
  }

  @Test
  void every_fault_and_every_disturbance_has_a_line_in_the_guide() throws IOException {
    List<String> rows = Files.readString(GUIDE).lines().filter(line -> line.startsWith("| `")).toList();
    Stream<String> words =
        Stream.of(
            factories(Fault.class),
            factories(HttpFault.class),
            names(Trouble.values()),
            names(Act.values()),
            names(ChaosStep.Jolt.values()),
            names(ChaosStep.Upset.values()))
            .flatMap(all -> all);
    assertThat(words).allSatisfy(
        word -> assertThat(rows).anySatisfy(row -> assertThat(row.split("\\|", -1)[1]).contains("`" + word + "`")));
  }

  private static Stream<String> factories(Class<?> faults) {
    return Arrays.stream(faults.getDeclaredMethods())
        .filter(method -> Modifier.isPublic(method.getModifiers()) && Modifier.isStatic(method.getModifiers()))
        .map(Method::getName)
        .distinct();
  }

  private static Stream<String> names(Enum<?>[] all) {
    return Arrays.stream(all).map(Enum::name);
  }

  private static List<String> blocks(String language) throws IOException {
    return all("```" + language + "\n(.*?)```", Files.readString(GUIDE));
  }

  private static List<String> all(String pattern, String text) {
    return Pattern.compile(pattern, Pattern.DOTALL)
        .matcher(text)
        .results()
        .map((MatchResult found) -> found.group(1))
        .toList();
  }

  /** Only what the compiler reads, less what makes the guide's test one that is run by this one. */
  private static String plain(String code) {
    return code.replaceAll("//[^\n]*", "").replaceAll("@Test|\\.ignoringProperties\\(\\)|\\s+", "");
  }
}
