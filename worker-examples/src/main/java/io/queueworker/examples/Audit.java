package io.queueworker.examples;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.queueworker.testkit.QueueCounts;
import io.queueworker.testkit.elasticmq.TestQueueHandle;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/**
 * What the database and the queue say at the end of {@link OrdersMain}. Immutable.
 *
 * @param sent how many orders the queue had before any worker started
 * @param effects rows of the orders table
 * @param orders different orders among these rows
 * @param suppressed redeliveries and duplicates that the gate let do nothing, by its own table
 * @param redeliveries receives to which the queue gave a receive count above 1
 * @param kills workers that ended by SIGKILL
 * @param leftOnQueue messages on the queue and its dead-letter queue
 * @param leftInFlight messages received and neither deleted nor visible
 */
record Audit(
    int sent, int effects, int orders, int suppressed, int redeliveries, int kills, int leftOnQueue, int leftInFlight) {

  /** Counts, when all workers have ended. */
  static Audit of(int sent, int kills, TestQueueHandle queue, DataSource dataSource) throws SQLException {
    QueueCounts left = queue.counts();
    QueueCounts dead = queue.deadLetters().counts();
    try (Connection connection = dataSource.getConnection(); Statement statement = connection.createStatement()) {
      return new Audit(
          sent,
          number(statement, "SELECT count(*) FROM orders"),
          number(statement, "SELECT count(DISTINCT id) FROM orders"),
          number(statement, "SELECT coalesce(sum(suppressed), 0) FROM queueworker_gate"),
          number(statement, "SELECT count(*) FROM receives WHERE receive_count > 1"),
          kills,
          left.visible() + left.delayed() + dead.total(),
          left.inFlight());
    }
  }

  private static int number(Statement statement, String query) throws SQLException {
    try (ResultSet result = statement.executeQuery(query)) {
      result.next();
      return result.getInt(1);
    }
  }

  /** Whether each order had exactly one effect and nothing is left, although one worker was killed. */
  boolean isClean() {
    return effects == sent && orders == sent && kills == 1 && leftOnQueue == 0 && leftInFlight == 0;
  }

  /** One line for programs to read. */
  String toJson() {
    return new ObjectMapper()
        .createObjectNode()
        .put("example", "orders")
        .put("sent", sent)
        .put("effects", effects)
        .put("suppressed", suppressed)
        .put("redeliveries", redeliveries)
        .put("kills", kills)
        .put("leftOnQueue", leftOnQueue)
        .put("leftInFlight", leftInFlight)
        .toString();
  }
}
