package io.queueworker.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.PauseReason;
import io.queueworker.QueueWorker;
import io.queueworker.gate.Admission;
import io.queueworker.gate.Attempt;
import io.queueworker.gate.Attempt.Outcome;
import io.queueworker.gate.AttemptInfo;
import io.queueworker.gate.GateKey;
import io.queueworker.gate.IdempotencyGate;
import io.queueworker.observe.WorkerEvent.CommitUnknown;
import io.queueworker.observe.WorkerEvent.Committed;
import io.queueworker.observe.WorkerEvent.Failed;
import io.queueworker.observe.WorkerEvent.HandlerStarted;
import io.queueworker.observe.WorkerEvent.HeldBack;
import io.queueworker.observe.WorkerEvent.HoldReason;
import io.queueworker.observe.WorkerEvent.LeaseLost;
import io.queueworker.observe.WorkerEvent.Paused;
import io.queueworker.observe.WorkerEvent.Released;
import io.queueworker.observe.WorkerEvent.Resumed;
import io.queueworker.observe.WorkerEvent.Suppressed;
import io.queueworker.spec.Specs.MemoryGate;
import io.queueworker.spec.Specs.Seeds;
import io.queueworker.testkit.simulation.CallKind;
import io.queueworker.testkit.simulation.SimulatedMessage;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Messages that wait here although nothing failed: the gate is away, busy, or did not answer a commit. */
class HoldingTest {

  /** A gate in memory whose store can go away, and whose commits can go unanswered with or without effect. */
  static final class FragileGate implements IdempotencyGate<List<String>> {
    final MemoryGate store = new MemoryGate(true);
    boolean away;
    int unanswered;
    boolean commits;

    @Override
    public void open() {}

    @Override
    public boolean transactional() {
      return true;
    }

    @Override
    public Admission<List<String>> admit(GateKey key, AttemptInfo info) throws Exception {
      if (away) {
        throw new SQLException("connection refused");
      }
      Admission<List<String>> admission = store.admit(key, info);
      return admission instanceof Admission.Fresh<List<String>> fresh && unanswered-- > 0
          ? new Admission.Fresh<>(new Unanswered(fresh.attempt()))
          : admission;
    }

    /** An attempt whose commit is sent and not answered. */
    private final class Unanswered implements Attempt<List<String>> {
      private final Attempt<List<String>> attempt;

      Unanswered(Attempt<List<String>> attempt) {
        this.attempt = attempt;
      }

      @Override
      public List<String> effects() {
        return attempt.effects();
      }

      @Override
      public Optional<Outcome> verdict() {
        return attempt.verdict();
      }

      @Override
      public Outcome commit() {
        if (commits) {
          attempt.commit();
        } else {
          attempt.rollback();
        }
        return new Outcome.CommitUnknown(new SQLException("connection reset during COMMIT"));
      }

      @Override
      public boolean rollback() {
        return attempt.rollback();
      }
    }
  }

  private static QueueWorker gated(Rig rig, IdempotencyGate<List<String>> gate) {
    return rig.worker()
        .pollWait(Duration.ofSeconds(1))
        .once(gate, delivery -> delivery.body(), (delivery, effects) -> effects.add(delivery.body()))
        .start();
  }

  @Seeds
  void a_gate_that_is_away_pauses_receiving_and_burns_no_receive_count(long seed) {
    Rig.run(
        seed,
        rig -> {
          FragileGate gate = new FragileGate();
          gate.away = true;
          rig.send(200);
          QueueWorker worker = gated(rig, gate);
          rig.awaitCount(Paused.class, 1);
          assertThat(worker.health().pauses().get(PauseReason.GATE_UNAVAILABLE)).contains("connection refused");
          rig.timing.advance(Duration.ofMinutes(5));
          int receives = rig.queue.calls(CallKind.RECEIVE).size();
          assertThat(rig.queue.inFlight()).isNotEmpty();
          rig.timing.advance(Duration.ofMinutes(25));
          assertThat(rig.queue.calls(CallKind.RECEIVE)).hasSize(receives);
          gate.away = false;
          rig.awaitEmpty();
          assertThat(gate.store.effects).hasSize(200);
          assertThat(rig.queue.calls(CallKind.RECEIVE).stream().flatMap(call -> call.messageIds().stream()))
              .doesNotHaveDuplicates();
          assertThat(rig.trail.count(LeaseLost.class) + rig.trail.count(Released.class) + rig.trail.count(Failed.class))
              .isZero();
          assertThat(rig.trail.of(HeldBack.class))
              .allSatisfy(h -> assertThat(h.reason()).isEqualTo(HoldReason.GATE_UNAVAILABLE));
          assertThat(rig.trail.of(Resumed.class)).extracting(Resumed::reason)
              .containsExactly(PauseReason.GATE_UNAVAILABLE);
          assertThat(worker.health().pauses()).isEmpty();
          worker.close();
          rig.checkRules();
        });
  }

  @Seeds
  void a_close_gives_back_what_waits_for_the_gate(long seed) {
    Rig.run(
        seed,
        rig -> {
          FragileGate gate = new FragileGate();
          gate.away = true;
          rig.send(8);
          QueueWorker worker = gated(rig, gate);
          rig.awaitCount(HeldBack.class, 8);
          worker.close();
          rig.timing.advance(Duration.ofSeconds(11));
          assertThat(rig.queue.visible()).hasSize(8).extracting(SimulatedMessage::receiveCount).containsOnly(1);
          assertThat(rig.trail.of(Released.class)).hasSize(8);
          rig.checkRules();
        });
  }

  @Seeds
  void a_key_in_progress_elsewhere_is_held_and_tried_here_without_a_receive(long seed) {
    Rig.run(
        seed,
        rig -> {
          MemoryGate gate = new MemoryGate(true);
          gate.inProgress = 12;
          rig.send(1);
          QueueWorker worker = gated(rig, gate);
          rig.awaitEmpty();
          assertThat(rig.timing.elapsed()).isGreaterThan(Duration.ofMinutes(1));
          assertThat(rig.trail.of(HeldBack.class)).hasSize(12)
              .allSatisfy(h -> assertThat(h.reason()).isEqualTo(HoldReason.IN_PROGRESS));
          assertThat(gate.effects).containsExactly("0");
          assertThat(rig.trail.count(Paused.class) + rig.trail.count(Failed.class) + rig.trail.count(Released.class))
              .isZero();
          worker.close();
          rig.checkRules();
        });
  }

  @Seeds
  void after_an_unanswered_commit_the_next_admission_decides(long seed) {
    for (boolean commits : new boolean[]{true, false}) {
      Rig.run(
          seed,
          rig -> {
            FragileGate gate = new FragileGate();
            gate.unanswered = 1;
            gate.commits = commits;
            String id = rig.send(1).get(0);
            List<String> ran = new ArrayList<>();
            QueueWorker worker =
                rig.worker()
                    .once(
                        gate,
                        delivery -> delivery.body(),
                        (delivery, effects) -> {
                          ran.add(id);
                          effects.add(delivery.body());
                        })
                    .start();
            rig.awaitEmpty();
            assertThat(gate.store.effects).containsExactly("0");
            assertThat(ran).hasSize(commits ? 1 : 2);
            assertThat(rig.trail.count(CommitUnknown.class)).isEqualTo(1);
            assertThat(rig.trail.of(HeldBack.class)).singleElement().extracting(HeldBack::reason)
                .isEqualTo(HoldReason.COMMIT_UNKNOWN);
            assertThat(rig.trail.count(Suppressed.class)).isEqualTo(commits ? 1 : 0);
            assertThat(rig.trail.count(Committed.class)).isEqualTo(commits ? 0 : 1);
            assertThat(rig.trail.count(HandlerStarted.class)).isEqualTo(ran.size());
            assertThat(rig.trail.count(Failed.class) + rig.trail.count(Released.class)).isZero();
            assertThat(rig.queue.calls(CallKind.RECEIVE).stream().flatMap(call -> call.messageIds().stream()))
                .hasSize(1);
            worker.close();
            rig.checkRules();
          });
    }
  }
}
