package io.queueworker.examples;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queueworker.gate.JdbcGate;
import io.queueworker.observe.WorkerEvent.Received;
import io.queueworker.testkit.Trail;
import io.queueworker.testkit.elasticmq.ElasticMq;
import io.queueworker.testkit.elasticmq.TestQueueHandle;
import io.queueworker.testkit.timeline.Timeline;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;
import javax.sql.DataSource;

/**
 * The textbook exercise: a task of 45 s on a queue whose visibility timeout is 30 s.
 *
 * <p>In part 1 the heartbeat extends the lease, and the event is handled once. In part 2 extensions fail from 20 s on: the
 * lease ends, a second worker receives the event while the first still works, both finish, and the gate's row in the
 * database keeps the effect single. Time lines of both parts are made of the workers' events: as text, and as a page for
 * a browser, {@code target/forty-five-seconds.html} unless {@code -Dhtml=FILE} names another.
 *
 * <p>Run it with {@code mvn -q compile exec:exec@forty-five}: it takes two minutes and a half. {@code -Dspeed=15} divides
 * all durations by 15, {@code -Ddb=postgres} takes a real PostgreSQL instead of H2. The exit code is 1 when a part does not
 * come to one effect, when part 2 has no overlap, or when anything is left on the queue.
 */
public final class FortyFiveSecondTaskMain {

  private FortyFiveSecondTaskMain() {}

  /** Ends with one line of JSON on standard output. */
  public static void main(String[] args) throws Exception {
    TaskOptions options = TaskOptions.read();
    PartFigures one;
    PartFigures two;
    int left;
    try (Database database = Database.start(options.db()); ElasticMq server = ElasticMq.start()) {
      DataSource dataSource = database.dataSource();
      JdbcGate.on(dataSource).createTable();
      new OrderTable(dataSource).create();
      warmUp(server, dataSource, options);
      TestQueueHandle queue = server.createQueue("events", options.visibility(), 5);
      Timeline timeline = Timeline.create();
      Exercise exercise = new Exercise(queue, dataSource, options, timeline);
      System.out.printf(
          "A task of %s, a visibility timeout of %s, two workers in one JVM with a queue connection each.%n",
          seconds(options.task()), seconds(options.visibility()));

      System.out.printf("%nPart 1: the heartbeat works. It takes about %s.%n%n", seconds(options.task()));
      Order first = new Order("event-1", 1);
      one = report(exercise.withHeartbeat(first), timeline, first, dataSource);

      System.out.printf(
          "%nPart 2: extensions of worker-1 fail from %s after its receive on. It takes about %s.%n%n",
          seconds(options.failingFrom()),
          seconds(options.firstStep().plus(options.visibility()).plus(options.task())));
      Order second = new Order("event-2", 1);
      two = report(exercise.withFailingExtensions(second), timeline, second, dataSource);
      System.out.printf("%nBoth parts as a picture: %s%n", timeline.writeTo(options.html()).toUri());
      left = queue.counts().total() + queue.deadLetters().counts().total();
    }
    System.out.println(
        new ObjectMapper()
            .createObjectNode()
            .put("example", "forty-five-seconds")
            .<ObjectNode>set("part1", one.toJson())
            .<ObjectNode>set("part2", two.toJson())
            .put("leftOnQueue", left));
    System.exit(one.isOneRun() && two.isTwoRunsWithOneEffect() && left == 0 ? 0 : 1);
  }

  /** Does one quick event, of which nothing is counted: what a JVM does for the first time can cost a lease of 2 s. */
  private static void warmUp(ElasticMq server, DataSource dataSource, TaskOptions options) throws Exception {
    TaskOptions quick = new TaskOptions(15, options.db(), options.html());
    TestQueueHandle queue = server.createQueue("warm-up", quick.visibility(), 5);
    new Exercise(queue, dataSource, quick, Timeline.create()).withHeartbeat(new Order("warm-up", 1));
  }

  private static PartFigures report(Trail trail, Timeline timeline, Order event, DataSource dataSource)
      throws SQLException {
    String message = trail.of(Received.class).getFirst().messageId();
    System.out.println(timeline.text(message));
    int effects = new OrderTable(dataSource).rows(event.id());
    GateRow row = GateRow.of(dataSource, event.id());
    System.out.printf("%nThe database: effects of %s: %d; the gate's row of its key: %s.%n", event.id(), effects, row);
    return PartFigures.of(trail, timeline.overlaps(message), effects, row.suppressed());
  }

  private static String seconds(Duration duration) {
    return String.format(Locale.ROOT, "%.2f s", duration.toNanos() / 1e9);
  }
}
