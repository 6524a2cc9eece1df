package io.queueworker.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queueworker.QueueWorker;
import io.queueworker.WorkerState;
import io.queueworker.gate.Admission;
import io.queueworker.gate.AttemptInfo;
import io.queueworker.gate.GateKey;
import io.queueworker.gate.IdempotencyGate;
import io.queueworker.observe.WorkerEvent.Started;
import io.queueworker.queue.QueueException;
import io.queueworker.queue.QueueException.Kind;
import io.queueworker.spec.Specs.Seeds;
import io.queueworker.testkit.simulation.CallKind;
import io.queueworker.testkit.simulation.Fault;
import io.queueworker.testkit.simulation.SimulatedQueue;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A start that cannot succeed, and settings that contradict each other. */
class StartTest {

  /** A gate whose table is not there. */
  private record Closed() implements IdempotencyGate<String> {
    @Override
    public void open() {
      throw new IllegalStateException("table queue_worker_keys does not exist: create it");
    }

    @Override
    public boolean transactional() {
      return true;
    }

    @Override
    public Admission<String> admit(GateKey key, AttemptInfo attempt) {
      throw new AssertionError("never asked");
    }
  }

  @Seeds
  void S33_a_start_on_a_missing_queue_throws_and_leaves_nothing_running(long seed) {
    Rig.run(
        seed,
        rig -> {
          SimulatedQueue good = SimulatedQueue.standard(rig.timing, "good");
          QueueWorker other = rig.on(good).handler(delivery -> {}).start();
          int threads = rig.threads.alive("").size();
          rig.queue.onCall(
              CallKind.ATTRIBUTES,
              call -> Fault.fail(QueueException.of(Kind.MISSING, "queue orders does not exist", null)));
          QueueWorker worker = rig.worker().handler(delivery -> {}).build();
          assertThatThrownBy(worker::start).isInstanceOf(QueueException.class).hasMessageContaining("orders");
          assertThat(worker.state()).isEqualTo(WorkerState.CLOSED);
          worker.close();
          worker.awaitClosed();
          rig.timing.advance(Duration.ofMinutes(1));
          assertThat(rig.threads.alive("worker-orders")).isEmpty();
          assertThat(rig.threads.alive("")).hasSize(threads);
          assertThat(rig.queue.calls(CallKind.RECEIVE)).isEmpty();
          assertThat(rig.trail.of(Started.class)).hasSize(1);
          good.send("still works");
          rig.timing.await("the other worker works", good::isEmpty, Duration.ofSeconds(5));
          other.close();
        });
  }

  @Test
  void S33_a_start_whose_gate_cannot_open_throws_and_leaves_nothing_running() {
    Rig.run(
        1,
        rig -> {
          QueueWorker worker = rig.worker().once(new Closed(), delivery -> "key", (delivery, effects) -> {}).build();
          assertThatThrownBy(worker::start)
              .isInstanceOf(IllegalStateException.class)
              .hasMessageContaining("queue_worker_keys");
          rig.timing.advance(Duration.ofMinutes(1));
          assertThat(worker.state()).isEqualTo(WorkerState.CLOSED);
          assertThat(rig.threads.alive("")).isEmpty();
          assertThat(rig.queue.calls(CallKind.RECEIVE)).isEmpty();
          assertThatThrownBy(worker::start).hasMessageContaining("build a new worker");
        });
  }

  @Test
  void a_start_that_may_not_read_the_queue_warns_and_works() {
    Rig.run(
        1,
        rig -> {
          rig.queue.onCall(
              CallKind.ATTRIBUTES, call -> Fault.fail(QueueException.denied("sqs:GetQueueAttributes", "403", null)));
          rig.send(1);
          QueueWorker worker = rig.worker().handler(delivery -> {}).start();
          rig.awaitEmpty();
          assertThat(worker.health().warnings()).singleElement().asString().contains("sqs:GetQueueAttributes", "30 s");
          worker.close();
          rig.checkRules();
        });
  }

  @Test
  void settings_are_refused_all_at_once_each_with_its_value_and_range() {
    Rig.run(
        1,
        rig -> assertThatThrownBy(
            () -> rig.worker()
                .maxConcurrency(0)
                .maxPollers(65)
                .pollWait(Duration.ofSeconds(21))
                .receiveLinger(Duration.ofSeconds(11))
                .visibility(Duration.ofHours(13))
                .controlTimeout(Duration.ofMillis(99))
                .maxProcessingTime(Duration.ZERO)
                .stallTimeout(Duration.ofDays(2))
                .maxHold(Duration.ofHours(12))
                .drainTimeout(Duration.ofSeconds(20))
                .deleteLinger(Duration.ofSeconds(-1))
                .workerId(" ")
                .gateScope("")
                .build())
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContainingAll(
                "the worker for queue orders",
                "maxConcurrency is 0: it must be 1 to 100000",
                "maxPollers is 65: it must be 1 to 64",
                "pollWait is PT21S: it must be PT0S to PT20S",
                "receiveLinger is PT11S: it must be PT0S to PT10S",
                "visibility is PT13H: it must be PT1S to PT12H",
                "controlTimeout is PT0.099S: it must be PT0.1S to PT30S",
                "maxProcessingTime is PT0S: it must be PT0.001S to PT24H",
                "stallTimeout is PT48H: it must be PT0.001S to PT24H",
                "maxHold is PT12H: it must be PT1S to PT11H59M50S",
                "drainTimeout is PT20S and pollWait is PT21S",
                "deleteLinger is PT-1S: it must be PT0S to PT10S",
                "workerId",
                "gateScope",
                "there is no handler"));
  }
}
