package io.queueworker.examples.chaos;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queueworker.testkit.QueueCounts;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * What the database and the queue say when all workers have ended. Immutable.
 *
 * @param tasks how many different tasks were sent
 * @param lost tasks without their whole effect
 * @param doubleEffects tasks with an effect, or a part of one, more than once
 * @param completedKeys keys that the gate's table shows as completed
 * @param suppressed redeliveries and repeats that the gate let do nothing, by its own table
 * @param leftOnQueue messages on the queue that nobody holds
 * @param leftInFlight messages received and neither deleted nor visible
 * @param deadLetters messages on the dead-letter queue
 */
record ChaosAudit(
    int tasks,
    int lost,
    int doubleEffects,
    int completedKeys,
    int suppressed,
    int leftOnQueue,
    int leftInFlight,
    int deadLetters) {

  /** Counts. */
  static ChaosAudit of(List<String> tasks, RemoteQueue queue, DataSource dataSource) throws SQLException {
    Map<String, int[]> parts = new EffectTable(dataSource).parts();
    QueueCounts left = queue.counts();
    return new ChaosAudit(
        tasks.size(),
        (int) tasks.stream().filter(task -> !isWhole(parts.get(task))).count(),
        (int) parts.values().stream().filter(ChaosAudit::isDouble).count(),
        number(dataSource, "SELECT count(*) FROM queueworker_gate WHERE state = 'completed'"),
        number(dataSource, "SELECT coalesce(sum(suppressed), 0) FROM queueworker_gate"),
        left.visible() + left.delayed(),
        left.inFlight(),
        queue.deadLetters().total());
  }

  private static boolean isWhole(int @Nullable [] parts) {
    if (parts == null) {
      return false;
    }
    for (int count : parts) {
      if (count == 0) {
        return false;
      }
    }
    return true;
  }

  private static boolean isDouble(int[] parts) {
    for (int count : parts) {
      if (count > 1) {
        return true;
      }
    }
    return false;
  }

  private static int number(DataSource dataSource, String query) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(query)) {
      result.next();
      return result.getInt(1);
    }
  }

  /** Whether each task had exactly one effect, with its key's row, and nothing is left. */
  boolean isClean() {
    return lost == 0
        && doubleEffects == 0
        && completedKeys == tasks
        && leftOnQueue == 0
        && leftInFlight == 0
        && deadLetters == 0;
  }

  /** The figures for programs to read. */
  ObjectNode toJson() {
    return new ObjectMapper()
        .createObjectNode()
        .put("tasks", tasks)
        .put("lost", lost)
        .put("doubleEffects", doubleEffects)
        .put("leftOnQueue", leftOnQueue)
        .put("leftInFlight", leftInFlight)
        .put("deadLetters", deadLetters)
        .put("completedKeys", completedKeys)
        .put("suppressed", suppressed);
  }
}
