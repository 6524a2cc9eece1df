package io.queueworker.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.FailureAction;
import io.queueworker.QueueWorker;
import io.queueworker.SizingAdvice;
import io.queueworker.SizingAdvice.Verdict;
import io.queueworker.observe.Durations;
import io.queueworker.observe.WorkerEvent.Committed;
import io.queueworker.observe.WorkerEvent.CutShort;
import io.queueworker.observe.WorkerEvent.Failed;
import io.queueworker.observe.WorkerEvent.HandlerStarted;
import io.queueworker.observe.WorkerEvent.Interrupted;
import io.queueworker.observe.WorkerEvent.Received;
import io.queueworker.observe.WorkerEvent.Suppressed;
import io.queueworker.spec.Specs.MemoryGate;
import io.queueworker.spec.Specs.Seeds;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** Which runs a worker's sizing counts, and as what. */
class SizingTest {

  private static final Duration LIMIT = Duration.ofSeconds(10);

  private static void finish(Rig rig, QueueWorker worker) {
    worker.close();
    rig.checkRules();
  }

  @Seeds
  void a_run_that_maxProcessingTime_ended_takes_longer_than_that_and_is_no_failure(long seed) {
    Rig.run(
        seed,
        rig -> {
          AtomicInteger calls = new AtomicInteger();
          QueueWorker worker =
              rig.worker()
                  .handler(delivery -> rig.timing
                      .sleep(calls.getAndIncrement() == 0 ? LIMIT.multipliedBy(9) : Duration.ofSeconds(1)))
                  .maxProcessingTime(LIMIT)
                  .start();
          rig.send(1);
          rig.awaitEmpty();

          Durations measured = worker.sizing().measured();
          assertThat(rig.trail.count(Interrupted.class)).isEqualTo(1);
          assertThat(rig.trail.count(Failed.class)).as("how the run ended").isEqualTo(1);
          assertThat(measured.count()).isEqualTo(1);
          assertThat(measured.cutOff()).isEqualTo(1);
          assertThat(measured.failed()).isZero();
          assertThat(measured.max().atLeast()).isTrue();
          assertThat(measured.max().value()).isBetween(Duration.ofMillis(9_900), Duration.ofMillis(11_500));
          finish(rig, worker);
        });
  }

  @Seeds
  void a_run_that_was_told_to_end_and_commits_all_the_same_counts_by_its_commit(long seed) {
    Rig.run(
        seed,
        rig -> {
          QueueWorker worker =
              rig.worker().handler(delivery -> sleepDeaf(rig, Duration.ofMinutes(1))).maxProcessingTime(LIMIT).start();
          rig.send(1);
          rig.awaitCount(Committed.class, 1);

          Durations measured = worker.sizing().measured();
          assertThat(rig.trail.count(Interrupted.class)).isEqualTo(1);
          assertThat(measured.count()).isEqualTo(1);
          assertThat(measured.cutOff()).isZero();
          assertThat(measured.max().atLeast()).isFalse();
          assertThat(measured.max().value()).isBetween(Duration.ofSeconds(59), Duration.ofSeconds(62));
          rig.awaitEmpty();
          finish(rig, worker);
        });
  }

  @Seeds
  void a_run_that_a_close_cut_short_takes_longer_than_that(long seed) {
    Rig.run(
        seed,
        rig -> {
          QueueWorker worker = rig.worker().handler(delivery -> rig.timing.sleep(Duration.ofHours(2))).start();
          rig.send(3);
          rig.awaitCount(HandlerStarted.class, 3);
          rig.timing.sleep(Duration.ofSeconds(60));
          worker.close();

          Durations measured = worker.sizing().measured();
          assertThat(rig.trail.count(CutShort.class)).isEqualTo(3);
          assertThat(measured.cutOff()).isEqualTo(3);
          assertThat(measured.running()).isZero();
          assertThat(measured.p50().atLeast()).isTrue();
          assertThat(measured.p50().value()).isGreaterThan(Duration.ofSeconds(59));
          rig.checkRules();
        });
  }

  @Seeds
  void handlers_that_run_now_count_as_old_as_they_are_and_messages_that_wait_do_not(long seed) {
    Rig.run(
        seed,
        rig -> {
          MemoryGate gate = new MemoryGate(true);
          gate.inProgress = 1;
          QueueWorker worker =
              rig.worker()
                  .once(gate, delivery -> delivery.id(), (delivery, effects) -> rig.timing.sleep(Duration.ofMinutes(5)))
                  .maxConcurrency(1)
                  .start();
          rig.send(1);
          rig.timing.await("the gate was asked", () -> gate.inProgress == 0, Duration.ofMinutes(1));
          rig.timing.sleep(Duration.ofMillis(100));
          assertThat(worker.sizing().measured().running()).as("held back by the gate").isZero();

          rig.awaitCount(HandlerStarted.class, 1);
          rig.timing.sleep(Duration.ofMinutes(2));
          Durations measured = worker.sizing().measured();
          assertThat(measured.running()).isEqualTo(1);
          assertThat(measured.count()).isZero();
          assertThat(measured.max().atLeast()).isTrue();
          assertThat(measured.max().value()).isBetween(Duration.ofSeconds(118), Duration.ofSeconds(125));

          rig.awaitEmpty();
          measured = worker.sizing().measured();
          assertThat(measured.running()).isZero();
          assertThat(measured.count()).isEqualTo(1);
          assertThat(measured.max().atLeast()).isFalse();
          finish(rig, worker);
        });
  }

  @Seeds
  void failures_and_suppressed_redeliveries_are_counted_apart(long seed) {
    Rig.run(
        seed,
        rig -> {
          AtomicInteger calls = new AtomicInteger();
          QueueWorker worker =
              rig.worker()
                  .once(
                      new MemoryGate(true),
                      delivery -> "one key",
                      (delivery, effects) -> {
                        if (calls.getAndIncrement() == 0) {
                          throw new IllegalStateException("no stock");
                        }
                      })
                  .failurePolicy(failure -> FailureAction.retryAfter(Duration.ofSeconds(1)))
                  .start();
          rig.send(3);
          rig.awaitEmpty();

          Durations measured = worker.sizing().measured();
          assertThat(measured.count()).isEqualTo(1);
          assertThat(measured.failed()).isEqualTo(1).isEqualTo(rig.trail.count(Failed.class));
          assertThat(measured.suppressed()).isEqualTo(2).isEqualTo(rig.trail.count(Suppressed.class));
          assertThat(measured.cutOff()).isZero();
          assertThat(measured.delete()).isPresent();
          finish(rig, worker);
        });
  }

  /** Every twentieth of 400 messages takes 6 s, the others 100 ms. */
  @Seeds
  void the_advised_visibility_timeout_ends_the_redeliveries(long seed) {
    SizingAdvice[] advice = new SizingAdvice[1];
    Rig.run(
        seed,
        rig -> {
          advice[0] = withoutHeartbeat(rig, Duration.ofSeconds(2));
          assertThat(advice[0].verdict()).isEqualTo(Verdict.TOO_SHORT);
          assertThat(rig.trail.count(Received.class)).isGreaterThan(400);
        });
    Duration advised = advice[0].advice().orElseThrow().visibilityWithoutExtensions().value();
    Rig.run(
        seed,
        rig -> {
          assertThat(withoutHeartbeat(rig, advised).verdict()).isEqualTo(Verdict.FITS);
          assertThat(rig.trail.count(Received.class)).isEqualTo(400);
        });
  }

  private static SizingAdvice withoutHeartbeat(Rig rig, Duration visibility) {
    QueueWorker worker =
        rig.worker()
            .handler(
                delivery -> rig.timing.sleep(
                    Integer.parseInt(delivery.body()) % 20 == 0 ? Duration.ofSeconds(6) : Duration.ofMillis(100)))
            .visibility(visibility)
            .heartbeat(false)
            .start();
    rig.send(400);
    rig.awaitEmpty();
    worker.close();
    return worker.sizing();
  }

  private static void sleepDeaf(Rig rig, Duration howLong) {
    Duration end = rig.timing.elapsed().plus(howLong);
    while (rig.timing.elapsed().compareTo(end) < 0) {
      try {
        rig.timing.sleep(end.minus(rig.timing.elapsed()));
      } catch (InterruptedException ignored) {
        // Until its time is over.
      }
    }
  }
}
