package io.queueworker.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queueworker.gate.Attempt.Outcome;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Effects that happened while the store of their record was away. */
class UnansweredTest {
  private static final GateKey KEY = new GateKey("orders", "order-1");

  private final AtomicBoolean away = new AtomicBoolean();
  private int lent;

  private static AttemptInfo info(String worker) {
    return new AttemptInfo(worker, "m-1", 1, Duration.ofSeconds(30), warning -> {});
  }

  private DataSource breakable(DataSource real) {
    return (DataSource) Proxy.newProxyInstance(
        DataSource.class.getClassLoader(),
        new Class<?>[]{DataSource.class},
        (proxy, method, arguments) -> {
          if (away.get()) {
            throw new SQLException("connection refused", "08001");
          }
          lent++;
          try {
            return method.invoke(real, arguments);
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        });
  }

  @Test
  void a_completion_that_the_store_did_not_answer_is_made_up_for_before_the_handler_could_run_again() throws Exception {
    LeaseStore store = new LeaseStore(LeaseStore.Kind.H2);
    LeasedGate elsewhere = store.gate();
    LeasedGate gate = LeasedGate.on(breakable(store.database.orElseThrow()));
    gate.open();
    Attempt<Fenced> attempt = ((Admission.Fresh<Fenced>) gate.admit(KEY, info("worker-1"))).attempt();
    attempt.effects();

    away.set(true);
    assertThat(attempt.commit()).isInstanceOf(Outcome.CommitUnknown.class);
    assertThatThrownBy(() -> gate.admit(KEY, info("worker-1"))).isInstanceOf(SQLException.class);
    away.set(false);
    lent = 0;
    assertThat(elsewhere.admit(KEY, info("worker-2"))).isEqualTo(new Admission.InProgress<>());

    for (int i = 0; i < 2; i++) {
      assertThat(gate.admit(KEY, info("worker-1"))).isInstanceOfSatisfying(
          Admission.AlreadyDone.class, done -> assertThat(done.toString()).contains("worker=worker-1"));
      assertThat(lent).as("to complete it, to look and to count; then no more to complete it").isEqualTo(3 - i);
      lent = 0;
    }
    assertThat(elsewhere.admit(KEY, info("worker-2"))).isInstanceOf(Admission.AlreadyDone.class);
  }

  @Test
  void a_key_that_another_worker_took_over_meanwhile_is_its_own() throws Exception {
    LeaseStore store = new LeaseStore(LeaseStore.Kind.H2);
    LeasedGate elsewhere = store.gate();
    LeasedGate gate = LeasedGate.on(breakable(store.database.orElseThrow()));
    gate.open();
    Attempt<Fenced> attempt = ((Admission.Fresh<Fenced>) gate.admit(KEY, info("worker-1"))).attempt();
    away.set(true);
    assertThat(attempt.commit()).isInstanceOf(Outcome.CommitUnknown.class);
    away.set(false);
    store.pass(Duration.ofSeconds(30));
    assertThat(elsewhere.admit(KEY, info("worker-2"))).isInstanceOf(Admission.Fresh.class);

    assertThat(gate.admit(KEY, info("worker-1"))).isEqualTo(new Admission.InProgress<>());
  }

  @Test
  void only_the_latest_keys_are_kept() {
    Unanswered unanswered = new Unanswered();
    List<GateKey> keys = new ArrayList<>();
    for (int i = 0; i < 10_001; i++) {
      keys.add(new GateKey("orders", "k" + i));
      unanswered.add(keys.get(i), "t" + i);
    }
    assertThat(unanswered.ownerOf(keys.get(0))).isEmpty();
    assertThat(unanswered.ownerOf(keys.get(1))).contains("t1");
    unanswered.remove(keys.get(1));
    assertThat(unanswered.ownerOf(keys.get(1))).isEmpty();
  }
}
