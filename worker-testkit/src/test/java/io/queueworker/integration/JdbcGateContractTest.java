package io.queueworker.integration;

import com.zaxxer.hikari.HikariDataSource;
import io.queueworker.gate.GateTransaction;
import io.queueworker.gate.IdempotencyGate;
import io.queueworker.gate.JdbcGate;
import io.queueworker.testkit.gate.IdempotencyGateContract;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** {@link JdbcGate} keeps the contract on every database. */
@ParameterizedClass
@EnumSource(GateStore.class)
@Tag("postgres")
@Tag("mariadb")
class JdbcGateContractTest implements IdempotencyGateContract<GateTransaction> {
  @Parameter GateStore store;
  private DataSource direct;
  private HikariDataSource pool;

  @BeforeEach
  void fill() throws SQLException {
    direct = store.prepared();
    pool = Rig.pool(direct, AT_ONCE);
    pool.setConnectionTimeout(Rig.LONG.toMillis());
  }

  @AfterEach
  void close() {
    pool.close();
  }

  @Override
  public IdempotencyGate<GateTransaction> gate() {
    return JdbcGate.on(pool).lockWait(Duration.ofMillis(100));
  }

  @Override
  public Optional<IdempotencyGate<GateTransaction>> gateWithoutStore() {
    return Optional.of(JdbcGate.on(pool).table("missing"));
  }

  @Override
  public void effect(GateTransaction transaction, String id) throws SQLException {
    GateStore.effect(transaction.connection(), id);
  }

  @Override
  public long effects(String id) throws SQLException {
    return GateStore.effects(direct, id);
  }
}
