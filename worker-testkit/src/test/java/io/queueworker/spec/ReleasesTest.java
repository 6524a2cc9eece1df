package io.queueworker.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.FailureAction;
import io.queueworker.QueueWorker;
import io.queueworker.WorkerBuilder;
import io.queueworker.observe.WorkerEvent.ReleaseFailed;
import io.queueworker.observe.WorkerEvent.Released;
import io.queueworker.spec.Specs.Seeds;
import io.queueworker.testkit.simulation.CallKind;
import io.queueworker.testkit.simulation.Fault;
import io.queueworker.testkit.simulation.SimulatedCall;
import java.time.Duration;
import java.util.List;

/** Releases whose answer is lost, or that the service refuses for now. */
class ReleasesTest {

  private static WorkerBuilder<String> failingOnce(Rig rig, Duration delay) {
    return rig.worker()
        .failurePolicy(failure -> FailureAction.retryAfter(delay))
        .handler(
            delivery -> {
              if (delivery.receiveCount() == 1) {
                throw new IllegalStateException("first");
              }
            });
  }

  @Seeds
  void a_release_without_delay_whose_answer_is_lost_is_never_sent_twice(long seed) {
    for (Fault fault : List.of(Fault.loseReply(), Fault.loseRequest(), Fault.throttled())) {
      Rig.run(
          seed,
          rig -> {
            rig.queue.nextCall(CallKind.RELEASE, fault);
            String id = rig.send(1).get(0);
            QueueWorker worker = failingOnce(rig, Duration.ZERO).start();
            rig.awaitEmpty();
            assertThat(rig.queue.calls(CallKind.RELEASE)).hasSize(1);
            assertThat(rig.trail.of(ReleaseFailed.class)).extracting(ReleaseFailed::messageId).containsExactly(id);
            worker.close();
            rig.checkRules();
          });
    }
  }

  @Seeds
  void a_release_with_a_delay_is_tried_again_inside_the_first_half_of_it_only(long seed) {
    Rig.run(
        seed,
        rig -> {
          rig.queue.onCall(
              CallKind.RELEASE,
              call -> rig.queue.calls(CallKind.RELEASE).size() < 3 ? Fault.loseReply() : Fault.none());
          rig.send(1);
          QueueWorker worker = failingOnce(rig, Duration.ofSeconds(20)).start();
          rig.awaitEmpty();
          assertThat(rig.queue.calls(CallKind.RELEASE)).hasSize(3);
          assertThat(rig.trail.of(Released.class)).hasSize(1);
          worker.close();
          rig.checkRules();
        });
  }

  @Seeds
  void a_release_that_keeps_failing_is_tried_with_growing_pauses_and_then_given_up(long seed) {
    Rig.run(
        seed,
        rig -> {
          rig.queue.onCall(CallKind.RELEASE, call -> Fault.throttled());
          rig.send(1);
          QueueWorker worker = failingOnce(rig, Duration.ofMinutes(10)).start();
          rig.awaitEmpty();
          List<SimulatedCall> calls = rig.queue.calls(CallKind.RELEASE);
          assertThat(calls).hasSizeBetween(4, 12);
          assertThat(calls.get(calls.size() - 1).sentAt()).isLessThan(Duration.ofSeconds(30));
          assertThat(rig.trail.of(ReleaseFailed.class)).hasSize(1);
          assertThat(worker.health().inFlight()).isLessThanOrEqualTo(1);
          worker.close();
          rig.checkRules();
        });
  }

  @Seeds
  void nothing_is_sent_again_after_half_of_a_short_delay(long seed) {
    Rig.run(
        seed,
        rig -> {
          // The client gives up after its three seconds; by then the message may be somebody else's.
          rig.queue.nextCall(CallKind.RELEASE, Fault.loseRequest());
          rig.send(1);
          QueueWorker worker = failingOnce(rig, Duration.ofSeconds(5)).start();
          rig.awaitEmpty();
          assertThat(rig.queue.calls(CallKind.RELEASE)).hasSize(1);
          worker.close();
          rig.checkRules();
        });
  }
}
