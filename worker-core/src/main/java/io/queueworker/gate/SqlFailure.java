package io.queueworker.gate;

import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an exception of a database call says about the connection and the transaction.
 *
 * <p>Stateless.
 */
final class SqlFailure {
  private static final int MAX_CAUSES = 20;

  /** Classes that only a server raises, and that say that it did not commit: data, constraint, rollback, check, raised. */
  private static final Set<String> ROLLED_BACK = Set.of("22", "23", "27", "40", "44", "45", "P0");

  /** Classes that say the same if the connection outlived them: feature, access, resources, limits, state. */
  private static final Set<String> ROLLED_BACK_IF_ALIVE = Set.of("0A", "42", "53", "54", "55");

  /** Classes that say that a row is refused: data, constraint, triggered change, raised. */
  private static final Set<String> REFUSED_ROW = Set.of("22", "23", "27", "45", "P0");

  /** MySQL's code for a row that breaks a CHECK, whose SQLState says nothing. */
  private static final int MYSQL_CHECK = 3819;

  private SqlFailure() {}

  /** Whether the connection is gone by the exception's own account. */
  static boolean lostConnection(Throwable failure) {
    String state = sqlState(failure);
    return state != null && (state.startsWith("08") || state.startsWith("57P"));
  }

  /**
   * Whether a failed COMMIT surely made nothing durable: the server answered with an error that says so. A lost connection,
   * a timeout of the client and everything unknown are not that, and 40003 says itself that the outcome is unknown.
   */
  static boolean rolledBack(Throwable failure) {
    String state = sqlState(failure);
    return state != null
        && !state.equals("40003")
        && (state.equals("25P02") || ROLLED_BACK.contains(kind(state)));
  }

  /** Whether the failed COMMIT made nothing durable if the connection still works. */
  static boolean rolledBackIfAlive(Throwable failure) {
    String state = sqlState(failure);
    return state != null && (state.equals("57014") || ROLLED_BACK_IF_ALIVE.contains(kind(state)));
  }

  /** Whether the server, in good health, refused a statement for what it would write: data, constraint, trigger. */
  static boolean refusedRow(Throwable failure) {
    String state = sqlState(failure);
    return state != null && (REFUSED_ROW.contains(kind(state)) || isCode(failure, MYSQL_CHECK));
  }

  /** Whether the server rolled back for the sake of another transaction, so that the same may well succeed again. */
  static boolean conflict(Throwable failure) {
    String state = sqlState(failure);
    return "40001".equals(state) || "40P01".equals(state);
  }

  /** Whether the chain of causes holds the server's code, of those that share the SQLState for everything else. */
  static boolean isCode(Throwable failure, int code) {
    Throwable link = failure;
    for (int i = 0; link != null && i < MAX_CAUSES; i++) {
      if (link instanceof SQLException sql && "HY000".equals(sql.getSQLState()) && sql.getErrorCode() == code) {
        return true;
      }
      link = link.getCause();
    }
    return false;
  }

  private static String kind(String state) {
    return state.length() == 5 ? state.substring(0, 2) : state;
  }

  /** The first SQLState in the chain of causes, or null. */
  static @Nullable String sqlState(Throwable failure) {
    Throwable link = failure;
    for (int i = 0; link != null && i < MAX_CAUSES; i++) {
      if (link instanceof SQLException sql && sql.getSQLState() != null) {
        return sql.getSQLState();
      }
      link = link.getCause();
    }
    return null;
  }
}
