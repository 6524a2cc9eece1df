package io.queueworker.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.QueueWorker;
import io.queueworker.WorkerState;
import io.queueworker.observe.WorkerEvent.Closed;
import io.queueworker.observe.WorkerEvent.PollReplaced;
import io.queueworker.observe.WorkerEvent.Received;
import io.queueworker.observe.WorkerEvent.Released;
import io.queueworker.spec.Specs.Seeds;
import io.queueworker.testkit.simulation.CallKind;
import io.queueworker.testkit.simulation.Fault;
import io.queueworker.timing.Timing.ThreadKind;
import java.time.Duration;

/** Closes whose budget ends before the receive that is under way. */
class LateReceiveTest {

  @Seeds
  void S40_what_a_receive_brings_after_the_close_has_returned_still_goes_back(long seed) {
    Rig.run(
        seed,
        rig -> {
          QueueWorker worker = rig.worker().handler(delivery -> {}).start();
          rig.timing.advance(Duration.ofSeconds(1));
          worker.close(Duration.ofSeconds(2));
          assertThat(worker.state()).isEqualTo(WorkerState.CLOSED);
          assertThat(rig.trail.of(Closed.class))
              .singleElement()
              .satisfies(closed -> assertThat(closed.leftOver())
                  .containsExactly("thread worker-orders-poll-1 still receives"));
          rig.send(3);
          rig.awaitCount(Released.class, 3);
          assertThat(rig.queue.visible()).hasSize(3);
          assertThat(rig.trail.count(Received.class)).isEqualTo(3);
          rig.checkRules();
        });
  }

  @Seeds
  void messages_that_wait_behind_a_receive_that_hangs_go_back_when_the_budget_ends(long seed) {
    Rig.run(
        seed,
        rig -> {
          // The first receive hangs for hours; the one that takes its place brings messages while the worker closes.
          rig.queue.receiveTimeout(Duration.ofHours(10)).nextCall(CallKind.RECEIVE, Fault.hang(Duration.ofHours(9)));
          QueueWorker worker = rig.worker().handler(delivery -> {}).start();
          rig.awaitCount(PollReplaced.class, 1);
          rig.timing.advance(Duration.ofSeconds(1));
          rig.timing.start(
              ThreadKind.PLATFORM,
              "sender",
              () -> {
                rig.timing.advance(Duration.ofSeconds(2));
                rig.send(3);
              });
          worker.close();
          assertThat(rig.queue.visible()).hasSize(3);
          assertThat(rig.trail.count(Released.class)).isEqualTo(3);
          assertThat(rig.trail.of(Closed.class))
              .singleElement()
              .satisfies(closed -> assertThat(closed.leftOver())
                  .containsExactly("thread worker-orders-poll-1 still receives"));
        });
  }
}
