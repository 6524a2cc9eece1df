package io.queueworker.spec;

import static io.queueworker.spec.Specs.calls;
import static io.queueworker.spec.Specs.steps;
import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.LossReason;
import io.queueworker.QueueWorker;
import io.queueworker.gate.Admission;
import io.queueworker.gate.Attempt;
import io.queueworker.gate.AttemptInfo;
import io.queueworker.gate.Fenced;
import io.queueworker.gate.GateKey;
import io.queueworker.gate.IdempotencyGate;
import io.queueworker.gate.LeasedGate;
import io.queueworker.gate.Reconcile.Finding;
import io.queueworker.observe.WorkerEvent.Committed;
import io.queueworker.observe.WorkerEvent.Deleted;
import io.queueworker.observe.WorkerEvent.EffectUncertain;
import io.queueworker.observe.WorkerEvent.ExtendFailed;
import io.queueworker.observe.WorkerEvent.Extended;
import io.queueworker.observe.WorkerEvent.Failed;
import io.queueworker.observe.WorkerEvent.HandlerReturned;
import io.queueworker.observe.WorkerEvent.HandlerStarted;
import io.queueworker.observe.WorkerEvent.HeldBack;
import io.queueworker.observe.WorkerEvent.HoldReason;
import io.queueworker.observe.WorkerEvent.LeaseLost;
import io.queueworker.observe.WorkerEvent.Suppressed;
import io.queueworker.spec.Specs.Seeds;
import io.queueworker.testkit.simulation.CallKind;
import io.queueworker.testkit.simulation.SimulatedMachine;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Whole workers with effects outside the database: the gate's record follows the lease. */
class LeasedEffectsTest {

  private static final Duration VISIBILITY = Duration.ofSeconds(30);
  private static final GateKey KEY = new GateKey("orders", "0");

  /** A leased gate in virtual time whose store can be slow or away, and that notes its renewals. Not thread-safe. */
  private static final class Gate implements IdempotencyGate<Fenced> {
    final LeasedGate store;
    private final Rig rig;
    final List<Duration> renewals = new ArrayList<>();
    Duration slow = Duration.ZERO;
    boolean away;
    boolean renews = true;
    Optional<Duration> recordLasts = Optional.empty();
    Duration renewalTakes = Duration.ZERO;

    Gate(Rig rig) {
      this.rig = rig;
      this.store = LeasedGate.inMemory(rig.timing);
    }

    @Override
    public void open() {}

    @Override
    public boolean transactional() {
      return false;
    }

    @Override
    public Admission<Fenced> admit(GateKey key, AttemptInfo info) throws Exception {
      answer();
      AttemptInfo shown =
          new AttemptInfo(
              info.worker(), info.messageId(), info.receiveCount(), recordLasts.orElse(info.leaseLeft()),
              info.warnings());
      Admission<Fenced> admission = store.admit(key, shown);
      return admission instanceof Admission.Fresh<Fenced> fresh
          ? new Admission.Fresh<>(new Watched(fresh.attempt()))
          : admission;
    }

    private void answer() throws Exception {
      if (away) {
        throw new SQLException("connection refused");
      }
      if (!slow.isZero()) {
        rig.timing.sleep(slow);
      }
    }

    /** What another attempt is told now. */
    Admission<Fenced> another() throws Exception {
      return store.admit(KEY, new AttemptInfo("another", "m", 1, Duration.ofSeconds(1), warning -> {}));
    }

    /** An attempt whose renewals are noted. */
    private final class Watched implements Attempt<Fenced> {
      private final Attempt<Fenced> attempt;

      Watched(Attempt<Fenced> attempt) {
        this.attempt = attempt;
      }

      @Override
      public Fenced effects() {
        return attempt.effects();
      }

      @Override
      public Optional<Outcome> verdict() {
        return attempt.verdict();
      }

      @Override
      public Optional<Renewal> renewal() {
        return renews ? Optional.of(this::renew) : Optional.empty();
      }

      private boolean renew(Duration length) throws Exception {
        answer();
        rig.timing.sleep(renewalTakes);
        renewals.add(rig.timing.elapsed());
        return attempt.renewal().orElseThrow().renew(length);
      }

      @Override
      public Outcome commit() {
        return attempt.commit();
      }

      @Override
      public boolean rollback() {
        return attempt.rollback();
      }
    }
  }

  private static QueueWorker charging(Rig rig, Gate gate, Duration handler, List<Fenced> charges) {
    return rig.worker()
        .once(
            gate,
            delivery -> delivery.body(),
            (delivery, fenced) -> {
              charges.add(fenced);
              rig.timing.sleep(handler);
            })
        .start();
  }

  @Seeds
  void a_long_handler_keeps_message_and_key_the_record_first(long seed) {
    Rig.run(
        seed,
        rig -> {
          rig.queue.visibility(VISIBILITY);
          Gate gate = new Gate(rig);
          List<Fenced> charges = new ArrayList<>();
          String id = rig.send(1).get(0);
          QueueWorker worker = charging(rig, gate, Duration.ofMinutes(3), charges);
          rig.awaitCount(HandlerStarted.class, 1);
          for (int i = 0; i < 17; i++) {
            rig.timing.advance(Duration.ofSeconds(10));
            assertThat(gate.another()).isEqualTo(new Admission.InProgress<>());
          }
          rig.awaitEmpty();
          assertThat(gate.renewals).hasSizeGreaterThanOrEqualTo(11);
          assertThat(rig.trail.count(Extended.class)).isGreaterThanOrEqualTo(gate.renewals.size());
          assertThat(calls(rig.queue, CallKind.EXTEND, id).get(0).sentAt())
              .isGreaterThanOrEqualTo(gate.renewals.get(0));
          assertThat(charges).hasSize(1);
          assertThat(gate.another()).isInstanceOf(Admission.AlreadyDone.class);
          worker.close();
          rig.checkRules();
        });
  }

  @Seeds
  void without_renewals_the_key_is_taken_over_under_a_running_handler(long seed) {
    Rig.run(
        seed,
        rig -> {
          rig.queue.visibility(VISIBILITY);
          Gate gate = new Gate(rig);
          gate.renews = false;
          rig.send(1);
          QueueWorker worker = charging(rig, gate, Duration.ofMinutes(3), new ArrayList<>());
          rig.awaitCount(HandlerStarted.class, 1);
          rig.timing.advance(Duration.ofSeconds(60));
          assertThat(gate.another()).isInstanceOf(Admission.Fresh.class);
          worker.close();
        });
  }

  @Seeds
  void S54_a_killed_workers_message_runs_again_right_after_its_lease_with_the_same_key_and_a_higher_fence(long seed) {
    Rig.run(
        seed,
        rig -> {
          rig.queue.visibility(VISIBILITY);
          LeasedGate gate = LeasedGate.inMemory(rig.timing);
          List<Fenced> charges = new ArrayList<>();
          List<Duration> startedAt = new ArrayList<>();
          rig.send(1);
          SimulatedMachine first = rig.timing.machine("first", Duration.ZERO);
          QueueWorker.of(rig.queue.connect(first))
              .once(
                  gate,
                  delivery -> delivery.body(),
                  (delivery, fenced) -> {
                    charges.add(fenced);
                    rig.timing.sleep(Duration.ofHours(1));
                  })
              .inlineListener(rig.trail)
              .timing(first)
              .start();
          rig.awaitCount(Extended.class, 4);
          Duration killedAt = rig.timing.elapsed();
          first.kill();
          QueueWorker second =
              rig.worker()
                  .once(
                      gate,
                      delivery -> delivery.body(),
                      (delivery, fenced) -> {
                        charges.add(fenced);
                        startedAt.add(rig.timing.elapsed());
                      })
                  .start();
          rig.awaitEmpty();
          assertThat(charges).hasSize(2);
          assertThat(charges.get(1).idempotencyKey()).isEqualTo(charges.get(0).idempotencyKey());
          assertThat(charges.get(1).fence()).isGreaterThan(charges.get(0).fence());
          assertThat(startedAt).singleElement()
              .satisfies(
                  at -> assertThat(at).isBetween(
                      killedAt.plus(VISIBILITY).minusSeconds(1), killedAt.plus(VISIBILITY).plusSeconds(1)));
          second.close();
        });
  }

  @Seeds
  void a_key_that_another_attempt_took_over_ends_the_lease_and_leaves_the_others_record_alone(long seed) {
    Rig.run(
        seed,
        rig -> {
          rig.queue.visibility(VISIBILITY);
          Gate gate = new Gate(rig);
          gate.recordLasts = Optional.of(Duration.ofSeconds(1));
          List<Fenced> charges = new ArrayList<>();
          String id = rig.send(1).get(0);
          QueueWorker worker = charging(rig, gate, Duration.ofSeconds(70), charges);
          rig.awaitCount(HandlerStarted.class, 1);
          rig.timing.advance(Duration.ofSeconds(5));
          Attempt<Fenced> other = ((Admission.Fresh<Fenced>) gate.another()).attempt();
          assertThat(other.renewal().orElseThrow().renew(Duration.ofMinutes(5))).isTrue();
          rig.awaitCount(LeaseLost.class, 1);
          assertThat(rig.trail.of(LeaseLost.class, id)).singleElement().extracting(LeaseLost::reason)
              .isEqualTo(LossReason.TAKEN_OVER);
          assertThat(calls(rig.queue, CallKind.EXTEND, id)).isEmpty();
          rig.awaitCount(HandlerReturned.class, 1);
          rig.timing.advance(Duration.ofSeconds(1));
          assertThat(gate.another()).isEqualTo(new Admission.InProgress<>());
          assertThat(other.commit()).isEqualTo(new Attempt.Outcome.Committed());
          rig.awaitEmpty();
          assertThat(charges).hasSize(1);
          assertThat(rig.trail.count(Committed.class)).isZero();
          assertThat(rig.trail.count(Suppressed.class)).isEqualTo(1);
          worker.close();
        });
  }

  @Seeds
  void a_gate_that_is_away_for_a_while_costs_no_lease(long seed) {
    Rig.run(
        seed,
        rig -> {
          rig.queue.visibility(VISIBILITY);
          Gate gate = new Gate(rig);
          List<Fenced> charges = new ArrayList<>();
          String id = rig.send(1).get(0);
          QueueWorker worker = charging(rig, gate, Duration.ofMinutes(2), charges);
          rig.awaitCount(Extended.class, 1);
          gate.away = true;
          rig.timing.advance(Duration.ofSeconds(23));
          gate.away = false;
          rig.awaitEmpty();
          assertThat(rig.trail.of(ExtendFailed.class, id)).hasSizeGreaterThan(1);
          assertThat(rig.trail.count(LeaseLost.class)).isZero();
          assertThat(charges).hasSize(1);
          worker.close();
          assertThat(steps(rig.trail, id))
              .containsExactly("Received", "HandlerStarted", "HandlerReturned", "Committed", "Deleted");
          rig.checkRules();
        });
  }

  @Seeds
  void a_gate_that_is_away_for_longer_than_the_lease_loses_it_and_the_key_stays_one_attempts(long seed) {
    Rig.run(
        seed,
        rig -> {
          rig.queue.visibility(VISIBILITY);
          Gate gate = new Gate(rig);
          List<Fenced> charges = new ArrayList<>();
          String id = rig.send(1).get(0);
          QueueWorker worker = charging(rig, gate, Duration.ofSeconds(50), charges);
          rig.awaitCount(HandlerStarted.class, 1);
          gate.away = true;
          rig.awaitCount(LeaseLost.class, 1);
          assertThat(calls(rig.queue, CallKind.EXTEND, id)).isEmpty();
          rig.timing.advance(Duration.ofSeconds(40));
          gate.away = false;
          rig.awaitEmpty();
          assertThat(rig.trail.of(LeaseLost.class, id).get(0).reason()).isEqualTo(LossReason.EXPIRED);
          assertThat(charges).hasSize(2);
          assertThat(charges).extracting(Fenced::idempotencyKey).containsOnly(charges.get(0).idempotencyKey());
          assertThat(charges).extracting(Fenced::fence).isSorted().doesNotHaveDuplicates();
          assertThat(rig.trail.count(Committed.class)).isEqualTo(1);
          worker.close();
        });
  }

  @Seeds
  void a_slow_gate_costs_no_lease(long seed) {
    Rig.run(
        seed,
        rig -> {
          rig.queue.visibility(VISIBILITY);
          Gate gate = new Gate(rig);
          List<Fenced> charges = new ArrayList<>();
          rig.send(40);
          QueueWorker worker = charging(rig, gate, Duration.ofMinutes(2), charges);
          rig.awaitCount(HandlerStarted.class, 40);
          gate.slow = Duration.ofMillis(800);
          rig.awaitEmpty();
          assertThat(rig.trail.count(LeaseLost.class)).isZero();
          assertThat(charges).hasSize(40);
          worker.close();
          rig.checkRules();
        });
  }

  @Seeds
  void renewals_that_hang_delay_no_beat_of_a_message_without_a_record(long seed) {
    Rig.run(
        seed,
        rig -> {
          rig.queue.visibility(VISIBILITY);
          Gate gate = new Gate(rig);
          gate.renewalTakes = Duration.ofMinutes(10);
          gate.recordLasts = Optional.of(Duration.ofHours(1));
          List<String> ids = rig.queue.sendAll(List.of("0", "0"));
          QueueWorker worker = charging(rig, gate, Duration.ofMinutes(2), new ArrayList<>());
          rig.awaitCount(HandlerStarted.class, 1);
          String running = rig.trail.of(HandlerStarted.class).get(0).messageId();
          String held = ids.get(0).equals(running) ? ids.get(1) : ids.get(0);
          rig.timing.advance(Duration.ofSeconds(100));
          assertThat(rig.trail.of(LeaseLost.class)).extracting(LeaseLost::messageId).contains(running)
              .doesNotContain(held);
          assertThat(rig.trail.of(Extended.class, held)).hasSizeGreaterThan(3);
          assertThat(rig.trail.of(HeldBack.class, held)).allSatisfy(
              back -> assertThat(back.reason()).isEqualTo(HoldReason.IN_PROGRESS));
          worker.close();
        });
  }

  @Seeds
  void an_uncertain_message_does_not_run_and_is_rejected_and_when_it_comes_back_reconcile_may_know(long seed) {
    Rig.run(
        seed,
        rig -> {
          rig.queue.visibility(VISIBILITY);
          LeasedGate unfinished = LeasedGate.inMemory(rig.timing).outsideRemembers(Duration.ofHours(1));
          List<Finding> findings = new ArrayList<>(List.of(Finding.UNKNOWN, Finding.DONE));
          LeasedGate gate = unfinished.reconcile((key, idempotencyKey) -> findings.remove(0));
          AttemptInfo crashed = new AttemptInfo("crashed", "m", 1, VISIBILITY, warning -> {});
          assertThat(gate.admit(KEY, crashed)).isInstanceOf(Admission.Fresh.class);
          rig.timing.advance(Duration.ofHours(2));
          String id = rig.send(1).get(0);
          QueueWorker worker =
              rig.worker()
                  .once(
                      gate,
                      delivery -> delivery.body(),
                      (delivery, fenced) -> {
                        throw new AssertionError("it must not run");
                      })
                  .start();
          rig.awaitCount(Deleted.class, 1);
          assertThat(rig.trail.of(EffectUncertain.class, id)).hasSize(1)
              .allSatisfy(uncertain -> assertThat(uncertain.why()).contains("PT1H").contains("does not know"));
          assertThat(steps(rig.trail, id)).containsExactly("Received", "EffectUncertain", "Rejected", "Deleted");
          String back = rig.queue.send(rig.queue.deadLetters().get(0).body());
          rig.awaitCount(Deleted.class, 2);
          assertThat(rig.trail.count(HandlerStarted.class) + rig.trail.count(Failed.class)).isZero();
          worker.close();
          assertThat(steps(rig.trail, back)).containsExactly("Received", "Suppressed", "Deleted");
          rig.checkRules();
        });
  }
}
