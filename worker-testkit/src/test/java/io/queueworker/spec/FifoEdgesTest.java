package io.queueworker.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.FailureAction;
import io.queueworker.QueueWorker;
import io.queueworker.observe.WorkerEvent.LeftForRedrive;
import io.queueworker.observe.WorkerEvent.ReceiveFailed;
import io.queueworker.observe.WorkerEvent.Received;
import io.queueworker.observe.WorkerEvent.Rejected;
import io.queueworker.patched.PatchedCore;
import io.queueworker.queue.MessageQueue;
import io.queueworker.queue.Receipt;
import io.queueworker.queue.ReceiveRequest;
import io.queueworker.queue.ReceivedMessage;
import io.queueworker.spec.FifoScenes.Scene;
import io.queueworker.spec.Specs.Seeds;
import io.queueworker.testkit.Invariants;
import io.queueworker.testkit.simulation.CallKind;
import io.queueworker.testkit.simulation.Fault;
import io.queueworker.testkit.simulation.SimulatedTiming;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Orders of things inside a worker that are rare on a FIFO queue. */
class FifoEdgesTest {

  private static final Duration LONG = Duration.ofHours(2);

  /** The poll thread stands still between the two messages of a receive, and the first one fails meanwhile. */
  public static final class LateFollower implements Callable<String> {
    @Override
    public String call() throws Exception {
      String[] order = new String[1];
      SimulatedTiming.run(
          1,
          timing -> {
            Scene scene = new Scene(timing, 5);
            String follower = scene.send("g", "A", "B").get(1);
            QueueWorker worker =
                scene.worker(
                    delivery -> {
                      if (delivery.body().equals("A") && delivery.receiveCount() == 1) {
                        throw new IllegalStateException("not yet");
                      }
                    })
                    .failurePolicy(failure -> FailureAction.leaveForRedrive())
                    .inlineListener(
                        (context, event) -> {
                          if (event instanceof Received received && received.messageId().equals(follower)) {
                            timing.advance(Duration.ofSeconds(1));
                          }
                        })
                    .start();
            order[0] = scene.finish(worker);
            Invariants.check(scene.trail, 64, scene.queue);
          });
      return order[0];
    }
  }

  @Test
  void a_follower_that_comes_late_to_its_line_does_not_start_behind_a_head_that_failed() throws Exception {
    assertThat(new LateFollower().call()).isEqualTo("A A B");
    PatchedCore forgetful =
        PatchedCore.with(
            "io.queueworker.handle.Lines", "breakOff(run.from(), run.lease().message());", "");
    assertThat(forgetful.create(LateFollower.class, Callable.class).call()).isEqualTo("A B A");
  }

  @Seeds
  void a_poison_head_is_rejected_again_once_its_worker_may_send(long seed) {
    SimulatedTiming.run(
        seed,
        timing -> {
          Scene scene = new Scene(timing, 3);
          boolean[] denied = {true};
          scene.dead.onCall(
              CallKind.SEND, call -> denied[0] ? Fault.accessDenied(CallKind.SEND) : Fault.none());
          scene.send("g", "P");
          QueueWorker worker = scene.worker(FifoScenes::poison).start();
          timing.await("the service moved the first head", () -> scene.queue.isEmpty(), LONG);
          assertThat(worker.health().denied()).containsExactly("sqs:SendMessage");
          denied[0] = false;
          timing.sleep(Duration.ofMinutes(6));

          List<String> ids = scene.send("h", "P", "1", "2");
          scene.finish(worker);

          assertThat(scene.trail.of(Rejected.class)).extracting(Rejected::messageId).containsExactly(ids.get(0));
          assertThat(scene.trail.of(Received.class, ids.get(2))).hasSize(1);
          assertThat(worker.health().denied()).isEmpty();
          Invariants.check(scene.trail, 64, scene.queue);
        });
  }

  @Seeds
  void S2_no_lease_of_a_group_that_was_given_up_is_extended_any_more(long seed) {
    SimulatedTiming.run(
        seed,
        timing -> {
          Scene scene = new Scene(timing, 5);
          scene.send("g", "A", "B");
          QueueWorker worker =
              scene.worker(delivery -> {
                throw new IllegalStateException("not today");
              })
                  .failurePolicy(failure -> FailureAction.leaveForRedrive())
                  .pollWait(Duration.ofSeconds(1))
                  .start();
          timing.await("the head has failed", () -> scene.trail.count(LeftForRedrive.class) >= 1, LONG);
          worker.pause();
          timing.sleep(Duration.ofSeconds(90));

          assertThat(scene.starts).doesNotContain("B");
          assertThat(scene.queue.calls(CallKind.EXTEND)).as("three visibility timeouts later").isEmpty();
          assertThat(worker.health().inFlight()).isZero();
          worker.close();
          Invariants.check(scene.trail, 64, scene.queue);
        });
  }

  @Seeds
  void S57_a_fifo_queue_with_too_many_in_flight_answers_with_nothing_and_the_worker_goes_on_when_others_delete(
      long seed) {
    SimulatedTiming.run(
        seed,
        timing -> {
          Scene scene = new Scene(timing, 5);
          scene.queue.settings().inFlightLimit(2);
          scene.send("g", "held 1", "held 2");
          MessageQueue other = scene.queue.connect();
          List<Receipt> held =
              other.receive(new ReceiveRequest(10, Duration.ZERO, Duration.ofHours(1))).stream()
                  .map(ReceivedMessage::receipt)
                  .toList();
          scene.send("h", "1", "2", "3");
          QueueWorker worker = scene.worker(delivery -> {}).start();
          timing.sleep(Duration.ofMinutes(5));
          assertThat(scene.starts).isEmpty();
          assertThat(scene.trail.of(ReceiveFailed.class)).isEmpty();

          assertThat(other.delete(held, Duration.ofSeconds(5))).hasSize(2);
          assertThat(scene.finish(worker)).isEqualTo("1 2 3");
          assertThat(scene.trail.of(Received.class)).hasSize(3);
          // Not the standing rules: what another client deletes was never handled here.
          assertThat(scene.queue.trespasses()).isEmpty();
        });
  }
}
