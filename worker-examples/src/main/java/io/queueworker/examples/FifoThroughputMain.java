package io.queueworker.examples;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.queueworker.QueueWorker;
import io.queueworker.gate.JdbcGate;
import io.queueworker.testkit.endpoint.StrictQueue;
import io.queueworker.testkit.endpoint.StrictSqs;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;

/**
 * What order costs: the same messages from a standard and from a FIFO queue, in turn, by one worker with a gate each time. A
 * thousand groups of twenty messages, sent in any mixture of the groups, with handlers that take 20 ms.
 *
 * <p>Run it with {@code mvn -q compile exec:exec@fifo-throughput}, and {@code -Dgroups=100}, {@code -Drounds=1} or {@code
 * -Ddb=postgres} if you like. The queues are behind the testkit's strict endpoint, over HTTP. The exit code is 1 when a
 * group's messages had their effects in another order, twice or never.
 */
public final class FifoThroughputMain {

  private static final int MESSAGES = 20;
  private static final int BATCH = 10;
  private static final Duration WORK = Duration.ofMillis(20);
  private static final Duration VISIBILITY = Duration.ofSeconds(30);
  private static final long LIMIT_NANOS = Duration.ofMinutes(5).toNanos();
  private static final List<Integer> WANTED = IntStream.range(0, MESSAGES).boxed().toList();

  private FifoThroughputMain() {}

  /** Ends with one line of JSON on standard output. */
  public static void main(String[] args) throws Exception {
    int groups = Integer.getInteger("groups", 1_000);
    int rounds = Integer.getInteger("rounds", 3);
    ObjectNode json = new ObjectMapper().createObjectNode().put("example", "fifo-throughput").put("groups", groups);
    ArrayNode standard = json.putArray("standardPerSecond");
    ArrayNode fifo = json.putArray("fifoPerSecond");
    ArrayNode ratios = json.putArray("ratio");
    boolean inOrder = true;
    boolean once = true;
    try (Database database = Database.start(OrdersOptions.read().db());
        HikariDataSource pool = pool(database.url());
        StrictSqs server = StrictSqs.start()) {
      JdbcGate.on(pool).createTable();
      GroupTable steps = new GroupTable(pool);
      steps.create();
      perSecond(server, pool, steps, "warm-up", Math.min(groups, 50));
      perSecond(server, pool, steps, "warm-up.fifo", Math.min(groups, 50));
      for (int round = 1; round <= rounds; round++) {
        long plain = perSecond(server, pool, steps, "round-" + round, groups);
        String ordered = "round-" + round + ".fifo";
        long grouped = perSecond(server, pool, steps, ordered, groups);
        standard.add(plain);
        fifo.add(grouped);
        ratios.add(Math.round(100.0 * grouped / plain) / 100.0);
        Map<String, List<Integer>> orders = steps.orders(ordered);
        inOrder &= orders.values().stream().allMatch(WANTED::equals);
        once &= orders.size() == groups && steps.rows("round-" + round) == groups * MESSAGES;
        System.out.println("round " + round + ": standard " + plain + ", FIFO " + grouped + " messages a second");
      }
    }
    System.out.println(json.put("inOrder", inOrder).put("onceEach", once));
    System.exit(inOrder && once ? 0 : 1);
  }

  /** Sends the messages to a new queue, and then lets one worker do them all. */
  private static long perSecond(StrictSqs server, HikariDataSource pool, GroupTable steps, String name, int groups)
      throws Exception {
    try (StrictQueue queue = server.queue(name).visibility(VISIBILITY).create()) {
      send(queue, groups);
      long begun = System.nanoTime();
      try (QueueWorker worker = QueueWorker.of(queue.connect())
          .decode(GroupStep::of)
          .once(
              JdbcGate.on(pool),
              delivery -> delivery.body().toBody(),
              (delivery, tx) -> {
                Thread.sleep(WORK);
                steps.insert(tx.connection(), name, delivery.body(), delivery.receiveCount());
              })
          .pollWait(Duration.ofSeconds(1))
          .start()) {
        awaitRows(steps, name, groups * MESSAGES, begun);
        return groups * (long) MESSAGES * 1_000_000_000L / (System.nanoTime() - begun);
      }
    }
  }

  private static void awaitRows(GroupTable steps, String name, int wanted, long begun)
      throws SQLException, InterruptedException {
    while (steps.rows(name) < wanted) {
      if (System.nanoTime() - begun > LIMIT_NANOS) {
        throw new IllegalStateException(
            "only " + steps.rows(name) + " of " + wanted + " messages of " + name + " were done in five minutes");
      }
      Thread.sleep(50);
    }
  }

  /** Each group in its order, the groups mixed as chance has it, the same each time. */
  private static void send(StrictQueue queue, int groups) {
    List<Integer> turns = new ArrayList<>();
    for (int group = 0; group < groups; group++) {
      turns.addAll(Collections.nCopies(MESSAGES, group));
    }
    Collections.shuffle(turns, new Random(1));
    int[] next = new int[groups];
    boolean fifo = queue.name().endsWith(".fifo");
    for (int from = 0; from < turns.size(); from += BATCH) {
      List<SendMessageBatchRequestEntry> batch = new ArrayList<>();
      for (int group : turns.subList(from, Math.min(turns.size(), from + BATCH))) {
        GroupStep step = new GroupStep("group-" + group, next[group]++);
        SendMessageBatchRequestEntry.Builder entry =
            SendMessageBatchRequestEntry.builder().id(Integer.toString(batch.size())).messageBody(step.toBody());
        batch.add(
            (fifo ? entry.messageGroupId(step.group()).messageDeduplicationId(step.toBody()) : entry).build());
      }
      queue.client().sendMessageBatch(request -> request.queueUrl(queue.url()).entries(batch));
    }
  }

  private static HikariDataSource pool(String url) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(16);
    return new HikariDataSource(config);
  }
}
