package io.queueworker.gate;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * What a leased gate says differently to each database, beside its {@link Dialect}.
 *
 * <p>Immutable.
 *
 * @param later the time as many milliseconds from now as the parameter says
 * @param resource where the DDL is on the class path
 */
record LeaseDialect(Dialect dialect, String later, String resource) {

  /** Of a database that the gate works on. */
  static LeaseDialect of(Dialect dialect) {
    String later =
        switch (dialect) {
          case POSTGRESQL -> dialect.clock + " + CAST(? AS bigint) * INTERVAL '1 millisecond'";
          case H2 -> "DATEADD(MILLISECOND, CAST(? AS bigint), " + dialect.clock + ")";
          case MYSQL -> throw new IllegalStateException(
              "LeasedGate does not know MariaDB and MySQL; keep its table on PostgreSQL or H2");
        };
    return new LeaseDialect(dialect, later,
        "io/queueworker/gate/leased-" + dialect.name().toLowerCase(Locale.ROOT) + ".sql");
  }

  /** The DDL for a table of this name. */
  String ddl(TableName table) {
    try (InputStream in = LeaseDialect.class.getClassLoader().getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException(
            "the resource " + resource + " is not on the class path; it is part of the worker-core jar");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .replace(LeaseTable.DEFAULT_NAME.text(), table.text());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
