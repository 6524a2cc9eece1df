package io.queueworker.examples;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queueworker.gate.JdbcGate;
import io.queueworker.testkit.elasticmq.ElasticMq;
import io.queueworker.testkit.elasticmq.TestQueueHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.sqs.model.Message;

/**
 * Order inside message groups: ten groups are worked on side by side, each step of a group after the one before it, although
 * the first step of one group never works and a worker is killed half-way. The step that never works ends on the dead-letter
 * queue after its attempts, alone, and its group goes on behind it.
 *
 * <p>Run it with {@code mvn -q compile exec:exec@fifo-groups}. The handler is in {@link FifoWorkerMain}. The exit code is 1 when
 * a group's steps were done in another order, or one of them twice or never, or when anything but the one message is left.
 */
public final class FifoGroupMain {

  /** The step that never works: the head of its group. */
  static final GroupStep POISON = new GroupStep("group-0", 0);

  /** The queue's name in the table of steps. */
  static final String QUEUE = "steps.fifo";

  private static final int GROUPS = 10;
  private static final int STEPS = 12;
  private static final Duration VISIBILITY = Duration.ofSeconds(4);
  private static final Duration TIME_LIMIT = Duration.ofMinutes(2);

  private FifoGroupMain() {}

  /** Ends with one line of JSON on standard output. */
  public static void main(String[] args) throws Exception {
    ObjectNode json;
    boolean clean;
    try (Database database = Database.start(OrdersOptions.read().db()); ElasticMq server = ElasticMq.start()) {
      JdbcGate.on(database.dataSource()).createTable();
      GroupTable steps = new GroupTable(database.dataSource());
      steps.create();
      TestQueueHandle queue = server.createFifoQueue("steps", VISIBILITY, 10);
      send(queue);
      int expected = GROUPS * STEPS - 1;
      try (Fleet fleet = new Fleet(FifoWorkerMain.class, queue.url(), database.url())) {
        Progress progress = new Progress(queue, () -> steps.rows(QUEUE), fleet, TIME_LIMIT);
        Process doomed = fleet.start("worker-1");
        if (progress.reaches(() -> steps.rows(QUEUE) >= expected / 3)) {
          doomed.destroyForcibly().waitFor(); // SIGKILL, with steps of all groups in its hands
          progress.say("worker-1 was killed with SIGKILL; worker-2 takes its place");
          fleet.start("worker-2");
          progress.reaches(() -> queue.counts().total() == 0);
        }
        fleet.close();
        Map<String, List<Integer>> orders = steps.orders(QUEUE);
        List<String> dead = bodies(queue.deadLetters());
        long inOrder =
            orders.entrySet().stream().filter(group -> group.getValue().equals(wanted(group.getKey()))).count();
        orders.forEach((group, order) -> System.out.println(group + " " + order));
        clean =
            inOrder == GROUPS && dead.equals(List.of(POISON.toBody())) && queue.counts().total() == 0
                && fleet.kills() == 1;
        json =
            new ObjectMapper()
                .createObjectNode()
                .put("example", "fifo-groups")
                .put("groups", GROUPS)
                .put("messages", GROUPS * STEPS)
                .put("effects", steps.rows(QUEUE))
                .put("groupsInOrder", inOrder)
                .put("deadLetters", String.join(" ", dead))
                .put("kills", fleet.kills())
                .put("leftOnQueue", queue.counts().total());
      }
    }
    System.out.println(json);
    System.exit(clean ? 0 : 1);
  }

  /** Sends the first step of each group, then the second of each, and so on. */
  private static void send(TestQueueHandle queue) {
    for (int number = 0; number < STEPS; number++) {
      for (int group = 0; group < GROUPS; group++) {
        String name = "group-" + group;
        queue.sendFifo(name, new GroupStep(name, number).toBody());
      }
    }
  }

  private static List<Integer> wanted(String group) {
    return IntStream.range(group.equals(POISON.group()) ? 1 : 0, STEPS).boxed().toList();
  }

  private static List<String> bodies(TestQueueHandle dead) {
    List<String> bodies = new ArrayList<>();
    List<Message> some;
    do {
      some =
          dead.client().receiveMessage(receive -> receive.queueUrl(dead.url()).maxNumberOfMessages(10)).messages();
      some.forEach(message -> bodies.add(message.body()));
    } while (!some.isEmpty());
    return bodies;
  }
}
