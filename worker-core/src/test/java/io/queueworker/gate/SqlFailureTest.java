package io.queueworker.gate;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What SQLStates at a COMMIT mean. */
class SqlFailureTest {

  @ParameterizedTest
  @ValueSource(strings = {"23505", "40001", "40P01", "25P02", "P0001", "22003", "44000"})
  void the_server_rolled_back(String state) {
    assertThat(SqlFailure.rolledBack(failure(state))).isTrue();
    assertThat(SqlFailure.lostConnection(failure(state))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"57014", "53100", "55P03", "42501"})
  void the_server_rolled_back_if_the_connection_lives(String state) {
    assertThat(SqlFailure.rolledBack(failure(state))).isFalse();
    assertThat(SqlFailure.rolledBackIfAlive(failure(state))).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"08006,true", "08003,true", "57P01,true", "40003,false", "HYT00,false", "58030,false", "90067,false",
    "25P01,false", "XX000,false", "99999,false", "2,false"})
  void the_outcome_is_unknown(String state, boolean lost) {
    assertThat(SqlFailure.rolledBack(failure(state))).isFalse();
    assertThat(SqlFailure.rolledBackIfAlive(failure(state))).isFalse();
    assertThat(SqlFailure.lostConnection(failure(state))).isEqualTo(lost);
  }

  @ParameterizedTest
  @CsvSource({"23514,true,false", "22P05,true,false", "P0001,true,false", "27000,true,false", "40001,false,true",
    "40P01,false,true", "42501,false,false", "08006,false,false", "53100,false,false", "57014,false,false"})
  void a_refused_row_and_a_conflict_are_told_apart(String state, boolean refusedRow, boolean conflict) {
    assertThat(SqlFailure.refusedRow(failure(state))).isEqualTo(refusedRow);
    assertThat(SqlFailure.conflict(failure(state))).isEqualTo(conflict);
  }

  @ParameterizedTest
  @CsvSource({
    "url jdbc:x://h/db?user=me&password=hunter2&ssl=true,url jdbc:x://h/db?user=me&password=[hidden]&ssl=true",
    "jdbc:x:db;PWD=hunter2;A=1,jdbc:x:db;PWD=[hidden];A=1",
    "jdbc:x://me:hunter2@h/db is down,jdbc:x://[hidden]@h/db is down",
    "FATAL: password authentication failed for user me,FATAL: password authentication failed for user me"})
  void secrets_in_a_drivers_words_are_hidden(String words, String shown) {
    assertThat(DriverWords.masked(words)).isEqualTo(shown);
    assertThat(DriverWords.of(new SQLException(words))).isEqualTo("java.sql.SQLException: " + shown);
  }

  @Test
  void without_a_state_the_outcome_is_unknown() {
    for (Throwable failure : List.of(new SQLException("no state"), new IllegalStateException(), new Error())) {
      assertThat(SqlFailure.rolledBack(failure)).isFalse();
      assertThat(SqlFailure.rolledBackIfAlive(failure)).isFalse();
      assertThat(SqlFailure.lostConnection(failure)).isFalse();
    }
  }

  @Test
  void a_state_is_found_under_the_exceptions_of_a_framework() {
    assertThat(SqlFailure.sqlState(new RuntimeException(new SQLException("outer", failure("08006")))))
        .isEqualTo("08006");
  }

  @Test
  void a_code_counts_only_where_the_state_says_nothing() {
    int check = 3819;
    assertThat(SqlFailure.refusedRow(new SQLException("MySQL's", "HY000", check))).isTrue();
    assertThat(SqlFailure.refusedRow(new SQLException("MySQL's", "HY000", 1))).isFalse();
    assertThat(SqlFailure.isCode(new RuntimeException(new SQLException("under", "HY000", check)), check)).isTrue();
    assertThat(SqlFailure.isCode(new SQLException("another state", "42000", check), check)).isFalse();
    assertThat(SqlFailure.isCode(new IllegalStateException(), check)).isFalse();
  }

  @Test
  void a_chain_of_causes_is_followed_for_twenty_links_and_no_circle_for_ever() {
    int code = 3819;
    assertThat(SqlFailure.sqlState(under(19))).isEqualTo("HY000");
    assertThat(SqlFailure.isCode(under(19), code)).isTrue();
    assertThat(SqlFailure.sqlState(under(20))).isNull();
    assertThat(SqlFailure.isCode(under(20), code)).isFalse();

    Exception first = new Exception();
    first.initCause(new Exception(first));
    assertThat(SqlFailure.sqlState(first)).isNull();
    assertThat(SqlFailure.isCode(first, code)).isFalse();
  }

  /** A failure of the server under so many others. */
  private static Throwable under(int others) {
    Throwable failure = new SQLException("MySQL's", "HY000", 3819);
    for (int i = 0; i < others; i++) {
      failure = new IllegalStateException(failure);
    }
    return failure;
  }

  private static SQLException failure(String state) {
    return new SQLException("as the driver says it", state);
  }
}
