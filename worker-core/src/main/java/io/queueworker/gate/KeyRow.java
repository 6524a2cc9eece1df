package io.queueworker.gate;

import io.queueworker.gate.Admission.Completion;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Optional;

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
      "t.state, t.attempt, t.worker, t.message_id, t.receive_count, t.started_at, t.duration_ms, t.suppressed,"
          + " t.lease, t.visibility_ms, t.lease_left_ms";

  /**
   * The row under the cursor.
   *
   * @param now the database's time, where it was asked for with the row
   */
  static KeyRow read(ResultSet row, Dialect dialect, Optional<OffsetDateTime> now) throws SQLException {
    OffsetDateTime startedAt = dialect.values.time(row, "started_at");
    Duration took = Duration.ofMillis(row.getLong("duration_ms"));
    return new KeyRow(
        COMPLETED.equals(row.getString("state")),
        row.getInt("attempt"),
        new Completion(
            row.getString("worker"),
            row.getString("message_id"),
            row.getInt("receive_count"),
            startedAt.toInstant(),
            took,
            row.getLong("suppressed"),
            now.map(at -> Duration.between(startedAt, at).minus(took)),
            StoryColumns.read(row)));
  }
}
