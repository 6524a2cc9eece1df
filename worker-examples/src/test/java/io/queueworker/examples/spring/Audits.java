package io.queueworker.examples.spring;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** A service that commits on a connection of its own, whatever becomes of its caller. Thread-safe. */
class Audits {
  private final JdbcTemplate jdbc;

  Audits(JdbcTemplate jdbc) {
    this.jdbc = jdbc;
  }

  @Transactional(propagation = Propagation.REQUIRES_NEW)
  public void note(String id) {
    jdbc.update("INSERT INTO audits (id) VALUES (?)", id);
  }
}
