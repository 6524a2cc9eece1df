package io.queueworker.examples.spring;

import io.queueworker.gate.TransactionRunner;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.annotation.Transactional;

/** A runner that is a bean's method; code inside can then reach that method's transaction status. Thread-safe. */
class OwnRunner implements TransactionRunner {
  private final DataSource dataSource;

  OwnRunner(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  @Override
  @Transactional
  public void run(Work work) {
    work.run(DataSourceUtils.getConnection(dataSource));
  }
}
