package io.queueworker.examples.chaos;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

/** Where a process of the run gets its connections to the database. */
final class Connections {

  private Connections() {}

  /** A pool that opens connections as they are needed. */
  static HikariDataSource pool(String url, int most) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(most);
    config.setMinimumIdle(1);
    config.setConnectionTimeout(5_000);
    return new HikariDataSource(config);
  }
}
