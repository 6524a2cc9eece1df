package io.queueworker.gate;

import io.queueworker.gate.LeaseStory.Standing;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The columns that tell how the lease of an attempt stood when it completed, null in rows that do not say. Stateless. */
final class StoryColumns {

  /** Their names. */
  static final String NAMES = "lease, visibility_ms, lease_left_ms";

  /** Sets them, with {@link #COUNT} parameters. */
  static final String SET = "lease = ?, visibility_ms = ?, lease_left_ms = ?";

  /** How many there are. */
  static final int COUNT = 3;

  private StoryColumns() {}

  /** Gives the parameters of {@link #SET} their values, from {@code first} on; returns the next one's number. */
  static int bind(PreparedStatement statement, int first, LeaseStory story) throws SQLException {
    if (story.standing() == Standing.UNKNOWN) {
      statement.setNull(first, Types.VARCHAR);
      statement.setNull(first + 1, Types.INTEGER);
      statement.setNull(first + 2, Types.INTEGER);
    } else {
      statement.setString(first, story.standing().name().toLowerCase(Locale.ROOT));
      statement.setInt(first + 1, millis(story.visibility()));
      statement.setInt(first + 2, millis(story.left()));
    }
    return first + COUNT;
  }

  /** What the row under the cursor says. */
  static LeaseStory read(ResultSet row) throws SQLException {
    Standing standing = standing(row.getString("lease"));
    return standing == Standing.UNKNOWN
        ? LeaseStory.UNKNOWN
        : new LeaseStory(
            standing, Duration.ofMillis(row.getInt("visibility_ms")), Duration.ofMillis(row.getInt("lease_left_ms")));
  }

  /** A later version of the library may write words that this one does not know. */
  private static Standing standing(@Nullable String word) {
    for (Standing standing : Standing.values()) {
      if (standing.name().toLowerCase(Locale.ROOT).equals(word)) {
        return standing;
      }
    }
    return Standing.UNKNOWN;
  }

  private static int millis(Duration duration) {
    return (int) Math.min(Integer.MAX_VALUE, duration.toMillis());
  }
}
