package io.queueworker.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.Health;
import io.queueworker.Health.QueueSample;
import io.queueworker.Health.Status;
import io.queueworker.HealthReason.Kind;
import io.queueworker.QueueWorker;
import io.queueworker.WorkerBuilder;
import io.queueworker.observe.WorkerEvent.PermissionDenied;
import io.queueworker.observe.WorkerEvent.PermissionRestored;
import io.queueworker.observe.WorkerEvent.VisibilityChanged;
import io.queueworker.queue.MessageCounts;
import io.queueworker.spec.Specs.Seeds;
import io.queueworker.testkit.simulation.CallKind;
import io.queueworker.testkit.simulation.Fault;
import io.queueworker.testkit.simulation.SimulatedQueue;
import java.time.Duration;
import java.time.Instant;

/** How many messages a queue has is read at a low rate, with one call for each queue. */
class QueueSamplingTest {

  private static SimulatedQueue dead(Rig rig) {
    return rig.queue.deadLetterQueue().orElseThrow();
  }

  private static QueueWorker start(WorkerBuilder<String> builder) {
    return builder.maxConcurrency(1).handler(delivery -> {}).start();
  }

  private static int reads(SimulatedQueue queue) {
    return queue.calls(CallKind.ATTRIBUTES).size();
  }

  private static QueueSample sample(QueueWorker worker) {
    return worker.health().sample().orElseThrow();
  }

  @Seeds
  void by_itself_it_costs_no_call_beyond_the_one_that_reads_the_visibility_timeout(long seed) {
    Rig.run(
        seed,
        rig -> {
          rig.send(3);
          QueueWorker worker = rig.worker().maxConcurrency(1).handler(d -> rig.timing.sleep(Duration.ofHours(2)))
              .maxProcessingTime(Duration.ofHours(3)).start();
          assertThat(reads(rig.queue)).isEqualTo(1);
          assertThat(sample(worker).queue()).as("from the start's check").isEqualTo(new MessageCounts(3, 0, 0));
          Instant first = sample(worker).at();

          rig.timing.advance(Duration.ofMinutes(61));

          assertThat(reads(rig.queue)).isEqualTo(1 + 12);
          assertThat(reads(dead(rig))).isZero();
          assertThat(sample(worker).queue()).isEqualTo(new MessageCounts(2, 1, 0));
          assertThat(sample(worker).at()).isAfter(first.plus(Duration.ofMinutes(55)));
          assertThat(sample(worker).deadLetters()).isEmpty();
          worker.close();
        });
  }

  @Seeds
  void it_is_read_as_often_as_it_is_set_and_the_visibility_timeout_with_it(long seed) {
    Rig.run(
        seed,
        rig -> {
          QueueWorker worker = start(rig.worker().sampleQueue(Duration.ofSeconds(30)));
          rig.timing.advance(Duration.ofMinutes(10));
          assertThat(reads(rig.queue)).isBetween(1 + 19, 1 + 20);

          rig.queue.visibility(Duration.ofSeconds(70));
          rig.timing.advance(Duration.ofSeconds(31));
          assertThat(rig.trail.count(VisibilityChanged.class)).isEqualTo(1);
          worker.close();
        });
  }

  @Seeds
  void a_worker_with_a_visibility_timeout_of_its_own_samples_and_does_not_follow(long seed) {
    Rig.run(
        seed,
        rig -> {
          QueueWorker worker =
              start(rig.worker().visibility(Duration.ofSeconds(40)).sampleQueue(Duration.ofMinutes(10)));
          rig.queue.visibility(Duration.ofSeconds(70));
          rig.timing.advance(Duration.ofMinutes(61));
          assertThat(reads(rig.queue)).isEqualTo(1 + 6);
          assertThat(rig.trail.count(VisibilityChanged.class)).isZero();
          worker.close();
        });
  }

  @Seeds
  void zero_reads_no_counts_and_still_follows_the_visibility_timeout(long seed) {
    Rig.run(
        seed,
        rig -> {
          QueueWorker worker = start(rig.worker().sampleQueue(Duration.ZERO));
          rig.queue.visibility(Duration.ofSeconds(70));
          rig.timing.advance(Duration.ofMinutes(6));
          assertThat(rig.trail.count(VisibilityChanged.class)).isEqualTo(1);
          assertThat(worker.health().sample()).isEmpty();
          worker.close();
          QueueWorker alone = start(rig.worker().visibility(Duration.ofSeconds(40)).sampleQueue(Duration.ZERO));
          int before = reads(rig.queue);
          rig.timing.advance(Duration.ofHours(1));
          assertThat(reads(rig.queue)).isEqualTo(before);
          alone.close();
        });
  }

  @Seeds
  void a_sample_is_forgotten_when_three_reads_have_failed(long seed) {
    Rig.run(
        seed,
        rig -> {
          QueueWorker worker = start(rig.worker().sampleQueue(Duration.ofMinutes(1)));
          rig.timing.advance(Duration.ofSeconds(90));
          rig.queue.onCall(CallKind.ATTRIBUTES, call -> Fault.unavailable());
          rig.timing.advance(Duration.ofMinutes(2));
          assertThat(worker.health().sample()).isPresent();
          rig.timing.advance(Duration.ofMinutes(1));
          assertThat(worker.health().sample()).isEmpty();
          assertThat(worker.health().status()).isEqualTo(Status.UP);

          rig.queue.onCall(CallKind.ATTRIBUTES, call -> Fault.none());
          rig.timing.advance(Duration.ofSeconds(61));
          assertThat(worker.health().sample()).isPresent();
          worker.close();
        });
  }

  @Seeds
  void the_dead_letter_queue_is_read_with_one_more_call_when_that_is_asked_for(long seed) {
    Rig.run(
        seed,
        rig -> {
          dead(rig).send("poison");
          dead(rig).send("poison");
          QueueWorker worker =
              start(rig.worker().sampleQueue(Duration.ofMinutes(1)).sampleDeadLetters(true));
          rig.timing.advance(Duration.ofSeconds(5));
          assertThat(sample(worker).deadLetters()).contains(new MessageCounts(2, 0, 0));

          int own = reads(rig.queue);
          int others = reads(dead(rig));
          rig.timing.advance(Duration.ofMinutes(10));
          assertThat(reads(rig.queue) - own).isBetween(9, 10);
          assertThat(reads(dead(rig)) - others).isBetween(9, 10);
          worker.close();
        });
  }

  @Seeds
  void a_dead_letter_queue_that_must_not_be_read_is_told_of_once_and_degrades_nothing(long seed) {
    Rig.run(
        seed,
        rig -> {
          dead(rig).onCall(CallKind.ATTRIBUTES, call -> Fault.accessDenied(CallKind.ATTRIBUTES));
          QueueWorker worker =
              start(rig.worker().sampleQueue(Duration.ofMinutes(1)).sampleDeadLetters(true));
          rig.timing.advance(Duration.ofMinutes(30));

          String action = "sqs:GetQueueAttributes on the dead-letter queue";
          assertThat(rig.trail.of(PermissionDenied.class)).containsExactly(new PermissionDenied(action));
          Health health = worker.health();
          assertThat(health.status()).isEqualTo(Status.UP);
          assertThat(health.denied()).containsExactly(action);
          assertThat(sample(worker).queue()).isEqualTo(new MessageCounts(0, 0, 0));
          assertThat(sample(worker).deadLetters()).isEmpty();

          dead(rig).onCall(CallKind.ATTRIBUTES, call -> Fault.none());
          rig.timing.advance(Duration.ofMinutes(1));
          assertThat(rig.trail.of(PermissionRestored.class)).containsExactly(new PermissionRestored(action));
          assertThat(sample(worker).deadLetters()).isPresent();
          worker.close();
        });
  }

  @Seeds
  void the_queues_own_attributes_that_must_not_be_read_any_more_degrade(long seed) {
    Rig.run(
        seed,
        rig -> {
          QueueWorker worker = start(rig.worker());
          rig.queue.onCall(CallKind.ATTRIBUTES, call -> Fault.accessDenied(CallKind.ATTRIBUTES));
          rig.timing.advance(Duration.ofMinutes(6));
          assertThat(HealthReceivingTest.kinds(worker))
              .containsExactly(Kind.PERMISSION_DENIED);
          rig.queue.onCall(CallKind.ATTRIBUTES, call -> Fault.none());
          rig.timing.advance(Duration.ofMinutes(5));
          assertThat(worker.health().status()).isEqualTo(Status.UP);
          worker.close();
        });
  }
}
