package io.queueworker.gate;

import java.util.Locale;

/**
 * What a leased gate says differently to each database, beside its {@link Dialect}.
 *
 * <p>Immutable.
 *
 * @param later the time as many milliseconds from now as the parameter says
 * @param nextFence the next fence, as a value to insert or set
 * @param draw the statement after the table's name that makes {@code nextFence} the next one, empty when it always is
 */
record LeaseDialect(Dialect dialect, String later, String nextFence, String draw) {

  /** Of a database that the gate works on. */
  static LeaseDialect of(Dialect dialect) {
    return switch (dialect) {
      case POSTGRESQL ->
          new LeaseDialect(
              dialect, dialect.clock + " + CAST(? AS bigint) * INTERVAL '1 millisecond'", "DEFAULT", "");
      case H2 ->
          new LeaseDialect(
              dialect, "DATEADD(MILLISECOND, CAST(? AS bigint), " + dialect.clock + ")", "DEFAULT", "");
      // MySQL has no sequences: a row of its own counts. Drawn before the claim, a fence can only go unused.
      case MYSQL ->
          new LeaseDialect(
              dialect,
              "TIMESTAMPADD(MICROSECOND, ? * 1000, " + dialect.clock + ")",
              "LAST_INSERT_ID()",
              " SET fence = LAST_INSERT_ID(fence + 1) WHERE scope = '' AND state = 'counter'");
    };
  }

  /** Where the DDL is on the class path. */
  String resource() {
    return "io/queueworker/gate/leased-" + dialect.name().toLowerCase(Locale.ROOT) + ".sql";
  }

  /** The statements for a table of this name with an earlier layout. */
  String upgradeDdl(TableName table) {
    return ShippedDdl.of(resource().replace(".sql", "-upgrade.sql"), LeaseTable.DEFAULT_NAME, table);
  }

  /** The DDL for a table of this name. */
  String ddl(TableName table) {
    return ShippedDdl.of(resource(), LeaseTable.DEFAULT_NAME, table);
  }

  /** What an insert ends with so that a taken key is no error, if there is such a thing. It leaves the taken row alone. */
  String unlessTaken() {
    return dialect == Dialect.MYSQL ? " ON DUPLICATE KEY UPDATE state = state" : dialect.unlessTaken;
  }
}
