package io.queueworker.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.FailureAction;
import io.queueworker.LossReason;
import io.queueworker.QueueWorker;
import io.queueworker.observe.WorkerEvent.Committed;
import io.queueworker.observe.WorkerEvent.CutShort;
import io.queueworker.observe.WorkerEvent.Failed;
import io.queueworker.observe.WorkerEvent.HandlerStarted;
import io.queueworker.observe.WorkerEvent.HandlerStuck;
import io.queueworker.observe.WorkerEvent.HandlerUnstuck;
import io.queueworker.observe.WorkerEvent.Interrupted;
import io.queueworker.observe.WorkerEvent.LeaseLost;
import io.queueworker.observe.WorkerEvent.Released;
import io.queueworker.spec.Specs.MemoryGate;
import io.queueworker.spec.Specs.Seeds;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** The limits of a run hold for all user code in it, not for the handler alone. */
class HandlerLimitsTest {

  private static final Duration LIMIT = Duration.ofSeconds(10);

  /** Waits for an hour the first time, unless interrupted. */
  private static void hangOnce(Rig rig, AtomicInteger calls) throws InterruptedException {
    if (calls.getAndIncrement() == 0) {
      rig.timing.sleep(Duration.ofHours(1));
    }
  }

  /** Works for a minute the first time, whatever comes. */
  private static void ignoreOnce(Rig rig, AtomicInteger calls) {
    if (calls.getAndIncrement() > 0) {
      return;
    }
    Duration end = rig.timing.elapsed().plusSeconds(60);
    while (rig.timing.elapsed().compareTo(end) < 0) {
      try {
        rig.timing.sleep(end.minus(rig.timing.elapsed()));
      } catch (InterruptedException ignored) {
        // That is the point.
      }
    }
  }

  private static void losesForOvertime(Rig rig, QueueWorker worker) {
    rig.awaitEmpty();
    assertThat(rig.trail.of(LeaseLost.class)).extracting(LeaseLost::reason).containsExactly(LossReason.OVERTIME);
    assertThat(rig.trail.of(Interrupted.class)).extracting(Interrupted::reason).containsExactly(LossReason.OVERTIME);
    assertThat(rig.trail.count(Committed.class)).isEqualTo(1);
    worker.close();
    rig.checkRules();
  }

  @Seeds
  void a_decoder_that_hangs_is_interrupted_at_maxProcessingTime(long seed) {
    Rig.run(
        seed,
        rig -> {
          rig.send(1);
          AtomicInteger calls = new AtomicInteger();
          losesForOvertime(
              rig,
              rig.worker()
                  .maxProcessingTime(LIMIT)
                  .decode(
                      body -> {
                        hangOnce(rig, calls);
                        return body;
                      })
                  .handler(delivery -> {})
                  .start());
        });
  }

  @Seeds
  void a_key_function_that_hangs_is_interrupted_at_maxProcessingTime(long seed) {
    Rig.run(
        seed,
        rig -> {
          rig.send(1);
          AtomicInteger calls = new AtomicInteger();
          losesForOvertime(
              rig,
              rig.worker()
                  .maxProcessingTime(LIMIT)
                  .once(
                      new MemoryGate(true),
                      delivery -> {
                        hangOnce(rig, calls);
                        return delivery.body();
                      },
                      (delivery, effects) -> {})
                  .start());
        });
  }

  @Seeds
  void a_failure_policy_that_hangs_is_interrupted_at_maxProcessingTime(long seed) {
    Rig.run(
        seed,
        rig -> {
          rig.send(1);
          AtomicInteger calls = new AtomicInteger();
          losesForOvertime(
              rig,
              rig.worker()
                  .maxProcessingTime(LIMIT)
                  .failurePolicy(
                      failure -> {
                        try {
                          hangOnce(rig, calls);
                        } catch (InterruptedException told) {
                          Thread.currentThread().interrupt();
                        }
                        return FailureAction.retryAfter(Duration.ZERO);
                      })
                  .handler(
                      delivery -> {
                        if (delivery.receiveCount() == 1) {
                          throw new IllegalStateException("first");
                        }
                      })
                  .start());
        });
  }

  @Seeds
  void a_decoder_without_progress_stalls(long seed) {
    Rig.run(
        seed,
        rig -> {
          rig.send(1);
          AtomicInteger calls = new AtomicInteger();
          QueueWorker worker =
              rig.worker()
                  .stallTimeout(LIMIT)
                  .decode(
                      body -> {
                        ignoreOnce(rig, calls);
                        return body;
                      })
                  .handler(delivery -> {})
                  .start();
          rig.awaitEmpty();
          assertThat(rig.trail.of(LeaseLost.class)).extracting(LeaseLost::reason).containsExactly(LossReason.STALLED);
          worker.close();
          rig.checkRules();
        });
  }

  @Seeds
  void a_decoder_that_ignores_its_interrupt_is_named_as_stuck(long seed) {
    Rig.run(
        seed,
        rig -> {
          String id = rig.send(1).get(0);
          AtomicInteger calls = new AtomicInteger();
          QueueWorker worker =
              rig.worker()
                  .maxProcessingTime(LIMIT)
                  .decode(
                      body -> {
                        ignoreOnce(rig, calls);
                        return body;
                      })
                  .handler(delivery -> {})
                  .start();
          rig.awaitCount(HandlerStuck.class, 1);
          assertThat(worker.health().stuck()).containsExactly("worker-orders-handler-" + id);
          rig.awaitEmpty();
          assertThat(rig.trail.count(HandlerUnstuck.class)).isEqualTo(1);
          worker.close();
          rig.checkRules();
        });
  }

  @Seeds
  void a_gate_that_hangs_is_not_interrupted_and_is_named_as_stuck_after_the_loss(long seed) {
    Rig.run(
        seed,
        rig -> {
          rig.send(1);
          AtomicInteger calls = new AtomicInteger();
          MemoryGate gate = new MemoryGate(true);
          gate.beforeAdmission = () -> ignoreOnce(rig, calls);
          QueueWorker worker =
              rig.worker()
                  .maxProcessingTime(LIMIT)
                  .once(gate, delivery -> delivery.body(), (delivery, effects) -> effects.add(delivery.body()))
                  .start();
          rig.awaitCount(HandlerStuck.class, 1);
          assertThat(rig.timing.elapsed()).isLessThan(Duration.ofSeconds(13));
          rig.awaitEmpty();
          assertThat(gate.interrupts).isZero();
          assertThat(gate.effects).containsExactly("0");
          assertThat(rig.trail.count(HandlerStarted.class)).isEqualTo(1);
          worker.close();
          rig.checkRules();
        });
  }

  @Seeds
  void a_handler_that_the_close_cuts_short_has_not_failed(long seed) {
    Rig.run(
        seed,
        rig -> {
          String id = rig.send(1).get(0);
          AtomicInteger asked = new AtomicInteger();
          QueueWorker worker =
              rig.worker()
                  .failurePolicy(
                      failure -> {
                        asked.incrementAndGet();
                        return FailureAction.retryAfter(Duration.ofMinutes(15));
                      })
                  .handler(delivery -> rig.timing.sleep(Duration.ofHours(1)))
                  .start();
          rig.awaitCount(HandlerStarted.class, 1);
          worker.close();
          assertThat(rig.trail.of(CutShort.class)).extracting(CutShort::messageId).containsExactly(id);
          assertThat(rig.trail.count(Failed.class)).isZero();
          assertThat(asked).hasValue(0);
          assertThat(rig.trail.of(Released.class)).extracting(Released::delay)
              .containsExactly(Duration.ofSeconds(10));
          rig.checkRules();
        });
  }
}
