package io.queueworker.gate;

import io.queueworker.gate.Admission.Completion;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;

/**
 * The row of one key as it was read.
 *
 * <p>Immutable.
 *
 * @param completed whether its attempt's effect is durable; a row that is merely started suppresses nothing
 * @param attempt 1, or more when earlier attempts were committed unfinished
 * @param by the attempt that wrote it
 */
record KeyRow(boolean completed, int attempt, Completion by) {
  static final String STARTED = "started";
  static final String COMPLETED = "completed";

  /** What {@link #read} needs. */
  static final String COLUMNS =
      "t.state, t.attempt, t.worker, t.message_id, t.receive_count, t.started_at, t.duration_ms, t.suppressed";

  /** The row under the cursor. */
  static KeyRow read(ResultSet row, Dialect dialect) throws SQLException {
    return new KeyRow(
        COMPLETED.equals(row.getString("state")),
        row.getInt("attempt"),
        new Completion(
            row.getString("worker"),
            row.getString("message_id"),
            row.getInt("receive_count"),
            dialect.values.time(row, "started_at").toInstant(),
            Duration.ofMillis(row.getLong("duration_ms")),
            row.getLong("suppressed")));
  }
}
