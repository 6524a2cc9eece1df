package io.queueworker.integration;

import com.zaxxer.hikari.HikariDataSource;
import io.queueworker.gate.Fenced;
import io.queueworker.gate.IdempotencyGate;
import io.queueworker.gate.LeasedGate;
import io.queueworker.testkit.gate.IdempotencyGateContract;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** {@link LeasedGate} keeps the contract on every database. Its effects are elsewhere, which a table beside it stands for. */
@ParameterizedClass
@EnumSource(GateStore.class)
@Tag("postgres")
@Tag("mariadb")
class LeasedGateContractTest implements IdempotencyGateContract<Fenced> {
  @Parameter GateStore store;
  private DataSource direct;
  private HikariDataSource pool;

  @BeforeEach
  void fill() throws SQLException {
    direct = store.prepared();
    LeasedGate.on(direct).createTable();
    pool = Rig.pool(direct, AT_ONCE);
    pool.setConnectionTimeout(Rig.LONG.toMillis());
  }

  @AfterEach
  void close() {
    pool.close();
  }

  @Override
  public IdempotencyGate<Fenced> gate() {
    return LeasedGate.on(pool);
  }

  @Override
  public Optional<IdempotencyGate<Fenced>> gateWithoutStore() {
    return Optional.of(LeasedGate.on(pool).table("missing"));
  }

  @Override
  public void effect(Fenced fenced, String id) throws SQLException {
    try (Connection connection = direct.getConnection()) {
      GateStore.effect(connection, id);
    }
  }

  @Override
  public long effects(String id) throws SQLException {
    return GateStore.effects(direct, id);
  }
}
