package io.queueworker.gate;

import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;

/**
 * How scopes and times go into columns and come out of them.
 *
 * <p>Immutable.
 */
enum StoredValues {
  /** In columns for text that is compared exactly and for time with a zone. */
  AS_THEY_ARE,

  /** A scope as its bytes in UTF-8; a time without a zone, in UTC, which no setting of driver or session then moves. */
  AS_BYTES_AND_UTC {
    @Override
    OffsetDateTime time(ResultSet row, String column) throws SQLException {
      return row.getObject(column, LocalDateTime.class).atOffset(ZoneOffset.UTC);
    }

    @Override
    Object parameter(OffsetDateTime time) {
      return time.withOffsetSameInstant(ZoneOffset.UTC).toLocalDateTime();
    }

    @Override
    String scope(ResultSet row, String column) throws SQLException {
      return new String(row.getBytes(column), StandardCharsets.UTF_8);
    }

    @Override
    Object parameter(String scope) {
      return scope.getBytes(StandardCharsets.UTF_8);
    }
  };

  /** The time in a column of the row under the cursor. */
  OffsetDateTime time(ResultSet row, String column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class);
  }

  /** A time as a parameter of a statement. */
  Object parameter(OffsetDateTime time) {
    return time;
  }

  /** The scope in a column of the row under the cursor. */
  String scope(ResultSet row, String column) throws SQLException {
    return row.getString(column);
  }

  /** A scope as a parameter of a statement. */
  Object parameter(String scope) {
    return scope;
  }
}
