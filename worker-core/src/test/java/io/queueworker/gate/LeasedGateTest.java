package io.queueworker.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queueworker.gate.Attempt.Outcome;
import io.queueworker.gate.Reconcile.Finding;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** What a lease on a key promises, in every store. */
@ParameterizedClass
@MethodSource("io.queueworker.gate.LeaseStore#chosen")
@Tag("postgres")
@Tag("mariadb")
class LeasedGateTest {
  private static final GateKey KEY = new GateKey("orders", "order-1");
  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final Duration DAY = Duration.ofHours(24);

  @Parameter LeaseStore.Kind kind;
  private LeaseStore store;
  private LeasedGate gate;
  private final List<String> warnings = new CopyOnWriteArrayList<>();

  @BeforeEach
  void open() throws SQLException {
    store = new LeaseStore(kind);
    gate = store.gate();
  }

  private AttemptInfo info(String worker) {
    return info(worker, LEASE);
  }

  private AttemptInfo info(String worker, Duration lease) {
    return new AttemptInfo(worker, "m-1", 1, lease, warnings::add);
  }

  private Attempt<Fenced> fresh(LeasedGate by, String worker) throws Exception {
    return fresh(by.admit(KEY, info(worker)));
  }

  private static Attempt<Fenced> fresh(Admission<Fenced> admission) {
    assertThat(admission).isInstanceOf(Admission.Fresh.class);
    return ((Admission.Fresh<Fenced>) admission).attempt();
  }

  private static boolean renew(Attempt<Fenced> attempt, Duration length) throws Exception {
    return attempt.renewal().orElseThrow().renew(length);
  }

  @Test
  void a_completion_tells_how_its_lease_stood_and_how_long_ago_it_was() throws Exception {
    LeaseStory held = new LeaseStory(LeaseStory.Standing.HELD, Duration.ofSeconds(30), Duration.ofMillis(12_345));
    AttemptInfo info = new AttemptInfo("worker-1", "m-1", 1, LEASE, warnings::add, () -> held);
    assertThat(fresh(gate.admit(KEY, info)).commit()).isEqualTo(new Outcome.Committed());
    store.pass(Duration.ofSeconds(40));

    assertThat(gate.admit(KEY, info("worker-2"))).isInstanceOfSatisfying(
        Admission.AlreadyDone.class,
        done -> {
          Admission.Completion by = ((Admission.AlreadyDone<?>) done).by().orElseThrow();
          assertThat(by.lease()).isEqualTo(held);
          assertThat(by.ago()).hasValueSatisfying(
              ago -> assertThat(ago).isGreaterThanOrEqualTo(Duration.ofSeconds(40)));
        });
  }

  @Test
  void a_table_of_an_earlier_version_is_refused_with_the_upgrade_that_helps() throws Exception {
    if (store.database.isEmpty()) {
      assertThatIllegalStateException().isThrownBy(gate::upgradeDdl).withMessageContaining("memory");
      return;
    }
    sql("ALTER TABLE queueworker_leased_gate DROP COLUMN lease");
    sql("ALTER TABLE queueworker_leased_gate DROP COLUMN visibility_ms");
    assertThatIllegalStateException().isThrownBy(gate::open)
        .withMessageContaining("LeasedGate.upgradeDdl()");

    sql(gate.upgradeDdl());
    sql(gate.upgradeDdl());

    gate.open();
    assertThat(fresh(gate, "worker-1").commit()).isEqualTo(new Outcome.Committed());
    assertThat(gate.admit(KEY, info("worker-2"))).isInstanceOf(Admission.AlreadyDone.class);
  }

  private void sql(String sql) throws SQLException {
    try (Connection connection = store.database.orElseThrow().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Test
  void S54_after_a_crash_the_key_is_free_when_the_lease_has_ended_and_not_before() throws Exception {
    Attempt<Fenced> crashed = fresh(gate, "worker-1");
    long fence = crashed.effects().fence();
    store.pass(LEASE.minusSeconds(10));
    assertThat(gate.admit(KEY, info("worker-2"))).isEqualTo(new Admission.InProgress<>());
    store.pass(Duration.ofSeconds(10));

    Attempt<Fenced> second = fresh(gate, "worker-2");

    assertThat(second.effects().fence()).isGreaterThan(fence);
    assertThat(second.effects().idempotencyKey()).isEqualTo(crashed.effects().idempotencyKey());
    assertThat(gate.admit(KEY, info("worker-3"))).isEqualTo(new Admission.InProgress<>());
    assertThat(second.commit()).isEqualTo(new Outcome.Committed());
    assertThat(gate.admit(KEY, info("worker-3"))).isInstanceOfSatisfying(
        Admission.AlreadyDone.class,
        done -> assertThat(done.toString()).contains("worker=worker-2").contains("suppressed=1"));
  }

  @Test
  void S54_a_lease_that_runs_out_in_real_time_frees_the_key() throws Exception {
    fresh(gate.admit(KEY, info("worker-1", Duration.ofMillis(400)))).effects();
    assertThat(gate.admit(KEY, info("worker-2"))).isEqualTo(new Admission.InProgress<>());
    GateRig.await(() -> gate.admit(KEY, info("worker-2")) instanceof Admission.Fresh);
  }

  @Test
  void a_renewed_record_lasts_as_long_as_its_renewal() throws Exception {
    Attempt<Fenced> attempt = fresh(gate, "worker-1");
    for (int i = 0; i < 10; i++) {
      store.pass(Duration.ofSeconds(20));
      assertThat(renew(attempt, LEASE)).isTrue();
      assertThat(gate.admit(KEY, info("worker-2"))).isEqualTo(new Admission.InProgress<>());
    }
    store.pass(LEASE);
    fresh(gate, "worker-2");
  }

  @Test
  void a_record_that_has_expired_is_still_its_owners_until_another_takes_over() throws Exception {
    Attempt<Fenced> attempt = fresh(gate, "worker-1");
    store.pass(LEASE.multipliedBy(2));
    assertThat(renew(attempt, LEASE)).isTrue();
    assertThat(gate.admit(KEY, info("worker-2"))).isEqualTo(new Admission.InProgress<>());
    store.pass(LEASE.multipliedBy(2));
    assertThat(attempt.commit()).isEqualTo(new Outcome.Committed());
  }

  @Test
  void a_lapsed_attempt_can_neither_renew_nor_end_its_successors_record() throws Exception {
    Attempt<Fenced> lapsed = fresh(gate, "worker-1");
    lapsed.effects();
    store.pass(LEASE);
    Attempt<Fenced> successor = fresh(gate, "worker-2");

    assertThat(renew(lapsed, LEASE)).isFalse();
    assertThat(lapsed.rollback()).isFalse();

    assertThat(gate.admit(KEY, info("worker-3"))).isEqualTo(new Admission.InProgress<>());
    assertThat(renew(successor, LEASE)).isTrue();
    assertThat(successor.commit()).isEqualTo(new Outcome.Committed());
    assertThat(warnings).isEmpty();
  }

  @Test
  void a_lapsed_attempt_cannot_complete_its_successors_record_and_says_so() throws Exception {
    Attempt<Fenced> lapsed = fresh(gate, "worker-1");
    store.pass(LEASE);
    Attempt<Fenced> successor = fresh(gate, "worker-2");

    assertThat(lapsed.commit()).isInstanceOf(Outcome.InProgress.class);

    assertThat(gate.admit(KEY, info("worker-3"))).isEqualTo(new Admission.InProgress<>());
    assertThat(warnings).singleElement().asString().contains("belongs to a later attempt");
    assertThat(successor.commit()).isEqualTo(new Outcome.Committed());
  }

  @Test
  void a_lapsed_attempt_whose_successor_completed_is_done() throws Exception {
    Attempt<Fenced> lapsed = fresh(gate, "worker-1");
    store.pass(LEASE);
    fresh(gate, "worker-2").commit();

    assertThat(lapsed.commit()).isInstanceOfSatisfying(
        Outcome.AlreadyDone.class, done -> assertThat(done.by().orElseThrow().worker()).isEqualTo("worker-2"));
    assertThat(warnings).hasSize(1);
  }

  @Test
  void a_renewal_beside_the_end_is_no_loss_and_changes_nothing() throws Exception {
    Attempt<Fenced> done = fresh(gate, "worker-1");
    done.commit();
    assertThat(renew(done, LEASE)).isTrue();
    assertThat(gate.admit(KEY, info("worker-2"))).isInstanceOf(Admission.AlreadyDone.class);
    GateKey other = new GateKey("orders", "order-2");
    Attempt<Fenced> failed = fresh(gate.admit(other, info("worker-1")));
    failed.effects();
    failed.rollback();
    assertThat(renew(failed, LEASE)).isTrue();
    fresh(gate.admit(other, info("worker-2")));
  }

  @Test
  void after_a_failure_the_next_attempt_begins_at_once_with_the_same_key_and_a_higher_fence() throws Exception {
    List<Fenced> given = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      Attempt<Fenced> attempt = fresh(gate, "worker-" + i);
      given.add(attempt.effects());
      attempt.rollback();
    }
    assertThat(given).extracting(Fenced::fence).isSorted().doesNotHaveDuplicates();
    assertThat(given).extracting(Fenced::idempotencyKey).containsOnly(given.get(0).idempotencyKey());
  }

  @Test
  void fences_do_not_go_back_when_a_record_is_removed() throws Exception {
    long highest = 0;
    for (int i = 0; i < 5; i++) {
      Admission<Fenced> admission = gate.admit(KEY, info("worker-" + i));
      LeasedAttempt attempt = (LeasedAttempt) fresh(admission);
      long fence = attempt.effects().fence();
      assertThat(fence).isGreaterThan(highest);
      highest = fence;
      attempt.rollback();
      if (store.database.isPresent()) {
        try (var connection = store.database.get().getConnection(); var statement = connection.createStatement()) {
          assertThat(statement.executeUpdate("DELETE FROM queueworker_leased_gate WHERE state = 'started'"))
              .isEqualTo(1);
        }
      }
    }
  }

  @Test
  void an_attempt_that_never_got_to_its_effect_leaves_nothing() throws Exception {
    fresh(gate, "worker-1").rollback();
    store.pass(DAY.multipliedBy(2));
    fresh(gate, "worker-2");
  }

  @Test
  void an_attempt_left_unfinished_longer_than_the_outside_system_remembers_is_uncertain() throws Exception {
    fresh(gate, "worker-1").effects();
    store.pass(DAY.minusSeconds(60));
    Attempt<Fenced> inTime = fresh(gate, "worker-2");
    inTime.effects();
    store.pass(LEASE.plusSeconds(60));

    for (int i = 0; i < 2; i++) {
      assertThat(gate.admit(KEY, info("worker-3"))).isInstanceOfSatisfying(
          Admission.Uncertain.class,
          uncertain -> assertThat(uncertain.why()).contains("worker-2").contains("1440 min ago").contains("reconcile"));
    }

    assertThat(inTime.commit()).as("the unfinished attempt itself").isEqualTo(new Outcome.Committed());
  }

  @Test
  void a_failed_attempt_may_have_had_its_effect_and_becomes_uncertain_too() throws Exception {
    Attempt<Fenced> failed = fresh(gate, "worker-1");
    failed.effects();
    failed.rollback();
    store.pass(DAY);
    assertThat(gate.admit(KEY, info("worker-2"))).isInstanceOf(Admission.Uncertain.class);
  }

  @Test
  void what_reconcile_finds_decides_about_an_uncertain_attempt() throws Exception {
    List<String> asked = new ArrayList<>();
    List<Finding> answers = new ArrayList<>(List.of(Finding.UNKNOWN, Finding.NOT_DONE, Finding.DONE));
    LeasedGate asking =
        gate.reconcile(
            (key, idempotencyKey) -> {
              asked.add(idempotencyKey);
              assertThat(key).isEqualTo(KEY);
              assertThat(gate.admit(KEY, info("worker-2"))).as("meanwhile").isEqualTo(new Admission.InProgress<>());
              return answers.remove(0);
            });
    String idempotencyKey = fresh(asking, "worker-1").effects().idempotencyKey();
    store.pass(DAY);

    assertThat(asking.admit(KEY, info("worker-2"))).isInstanceOf(Admission.Uncertain.class);
    Attempt<Fenced> notDone = fresh(asking, "worker-3");
    assertThat(notDone.effects().idempotencyKey()).isEqualTo(idempotencyKey);
    store.pass(DAY.minusSeconds(60));
    fresh(asking, "worker-4").effects();
    store.pass(Duration.ofSeconds(60));
    assertThat(asking.admit(KEY, info("worker-5"))).isInstanceOf(Admission.AlreadyDone.class);

    assertThat(asked).hasSize(3).containsOnly(idempotencyKey);
    assertThat(gate.admit(KEY, info("worker-6"))).isInstanceOf(Admission.AlreadyDone.class);
  }

  @Test
  void a_reconcile_hook_that_fails_leaves_the_key_uncertain_and_free_to_be_asked_again() throws Exception {
    LeasedGate failing =
        gate.reconcile(
            (key, idempotencyKey) -> {
              throw new IllegalStateException("503");
            });
    fresh(failing, "worker-1").effects();
    store.pass(DAY);
    for (int i = 0; i < 2; i++) {
      assertThat(failing.admit(KEY, info("worker-2"))).isInstanceOfSatisfying(
          Admission.Uncertain.class, uncertain -> assertThat(uncertain.why()).contains("503"));
    }
  }

  @Test
  void a_table_whose_row_that_counts_fences_is_gone_is_refused() throws Exception {
    if (kind != LeaseStore.Kind.MARIADB) {
      return; // The others have a sequence.
    }
    try (Connection connection = store.database.orElseThrow().getConnection();
        Statement statement = connection.createStatement()) {
      assertThat(statement.executeUpdate("DELETE FROM queueworker_leased_gate WHERE state = 'counter'")).isEqualTo(1);
    }
    assertThatIllegalStateException().isThrownBy(gate::open).withMessageContaining("counts fences is gone");
    assertThatThrownBy(() -> gate.admit(KEY, info("worker-1"))).isInstanceOf(SQLException.class);
  }

  @Test
  void a_record_that_another_attempt_began_after_the_look_stays_that_ones() throws Exception {
    if (store.database.isEmpty()) {
      return;
    }
    LeaseTable records = new LeaseTable(new PooledTransactions(store.database.get()), LeaseTable.DEFAULT_NAME);
    records.open();
    assertThat(records.look(KEY)).isEmpty();
    Attempt<Fenced> quicker = fresh(gate, "worker-1");

    assertThat(records.begin(KEY, info("worker-2"), "second")).isEmpty();

    assertThat(quicker.commit()).isEqualTo(new Outcome.Committed());
  }

  @Test
  void what_reconcile_finds_too_late_for_its_record_lets_nobody_run() throws Exception {
    LeasedGate slow =
        gate.outsideRemembers(Duration.ZERO)
            .reconcile(
                (key, idempotencyKey) -> {
                  store.pass(LEASE);
                  fresh(gate, "worker-3").effects();
                  return Finding.NOT_DONE;
                });
    fresh(gate, "worker-1").effects();
    store.pass(LEASE);

    assertThat(slow.admit(KEY, info("worker-2"))).isEqualTo(new Admission.InProgress<>());
  }

  @Test
  void a_table_without_its_key_is_refused() throws Exception {
    if (store.database.isEmpty()) {
      return;
    }
    try (Connection connection = store.database.get().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE keyless AS SELECT * FROM queueworker_leased_gate");
    }
    assertThatIllegalStateException().isThrownBy(() -> gate.table("keyless").open()).withMessageContaining("keyless");
  }

  @Test
  void an_outside_system_that_remembers_nothing_makes_every_repetition_uncertain() throws Exception {
    LeasedGate forgetful = gate.outsideRemembers(Duration.ZERO);
    fresh(forgetful, "worker-1").effects();
    assertThat(forgetful.admit(KEY, info("worker-2"))).isEqualTo(new Admission.InProgress<>());
    store.pass(LEASE);
    assertThat(forgetful.admit(KEY, info("worker-2"))).isInstanceOf(Admission.Uncertain.class);
  }

  @Test
  void idempotency_keys_are_stable_and_distinct() throws Exception {
    assertThat(IdempotencyKey.of(KEY)).isEqualTo("51bc5db2-11bd-85fe-b786-8f7a8529325b");
    assertThat(
        List.of(
            IdempotencyKey.of(KEY),
            IdempotencyKey.of(new GateKey("order", "sorder-1")),
            IdempotencyKey.of(new GateKey("orders", "Order-1")),
            IdempotencyKey.of(new GateKey("orders", "order-1 "))))
        .doesNotHaveDuplicates()
        .allMatch(key -> java.util.UUID.fromString(key).version() == 8);
  }

  @Test
  void a_purge_deletes_old_completed_keys_and_leaves_those_in_progress() throws Exception {
    if (store.database.isEmpty()) {
      assertThatIllegalStateException().isThrownBy(() -> gate.purge(Duration.ofDays(45)))
          .withMessageContaining("memory");
      return;
    }
    assertThat(fresh(gate, "worker-1").commit()).isEqualTo(new Outcome.Committed());
    Attempt<Fenced> inProgress = fresh(gate.admit(new GateKey("orders", "in progress"), info("worker-1")));
    assertThat(gate.purge(Duration.ofDays(45)).run().deleted()).isZero();
    try (Connection connection = store.database.get().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("UPDATE queueworker_leased_gate SET completed_at = completed_at - INTERVAL '46' DAY");
    }

    Purge.Result result = gate.purge(Duration.ofDays(45)).run();

    assertThat(result.lookedAt()).isEqualTo(2);
    assertThat(result.deleted()).isEqualTo(1);
    assertThat(inProgress.commit()).isEqualTo(new Outcome.Committed());
    assertThat(gate.admit(KEY, info("worker-2"))).isInstanceOf(Admission.Fresh.class);
  }

  @Test
  void settings_out_of_range_are_refused_by_name() {
    assertThatThrownBy(() -> gate.outsideRemembers(Duration.ofMillis(-1)))
        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("outsideRemembers is PT-0.001S");
    Duration longest = Duration.ofDays(3_650);
    assertThat(gate.outsideRemembers(longest)).isNotNull();
    assertThatThrownBy(() -> gate.outsideRemembers(longest.plusNanos(1))).hasMessageContaining("3,650 days");
    assertThat(gate.transactional()).isFalse();
    if (store.database.isEmpty()) {
      assertThatThrownBy(() -> gate.table("x")).hasMessageContaining("in memory");
      assertThatThrownBy(gate::ddl).hasMessageContaining("in memory");
      return;
    }
    assertThat(gate.table("other").ddl()).contains("CREATE TABLE IF NOT EXISTS other (");
    assertThatThrownBy(() -> gate.table("missing").open())
        .isInstanceOf(IllegalStateException.class).hasMessageContaining("createTable()");
    assertThatThrownBy(() -> gate.table("other").admit(KEY, info("worker-1"))).hasMessageContaining("not open");
  }
}
