package io.queueworker.examples.spring;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

/** A service as it is found in applications: it knows nothing of gates. Thread-safe. */
class Orders {
  private final JdbcTemplate jdbc;

  Orders(JdbcTemplate jdbc) {
    this.jdbc = jdbc;
  }

  @Transactional
  public void store(String id, int items) {
    jdbc.update("INSERT INTO orders (id, items) VALUES (?, ?)", id, items);
  }

  @Transactional
  public void refuse(String id) {
    store(id, 0);
    throw new IllegalArgumentException("order " + id + " has no items");
  }
}
