package io.queueworker.strict;

import static io.queueworker.strict.StrictRig.LONG;
import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.QueueWorker;
import io.queueworker.observe.WorkerEvent.Closed;
import io.queueworker.observe.WorkerEvent.Draining;
import io.queueworker.observe.WorkerEvent.HandlerStarted;
import io.queueworker.patched.PatchedCore;
import io.queueworker.testkit.Invariants;
import io.queueworker.testkit.Trail;
import io.queueworker.testkit.endpoint.EndpointCall;
import io.queueworker.testkit.endpoint.Operation;
import io.queueworker.testkit.endpoint.StrictQueue;
import io.queueworker.testkit.endpoint.StrictSqs;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

/** A close while a long poll waits at the service, which a client cannot take back. */
@Execution(ExecutionMode.CONCURRENT)
class CloseDuringReceiveTest {

  /** The scenario; gives how many messages are visible, and how many in flight, once close has returned. */
  static final class LateMessage implements Callable<List<Integer>> {
    @Override
    public List<Integer> call() throws Exception {
      Trail trail = Trail.create();
      try (StrictSqs sqs = StrictSqs.start()) {
        StrictQueue queue = sqs.queue("closing").maxReceiveCount(2).create();
        QueueWorker worker =
            QueueWorker.of(queue.connect()).handler(delivery -> {}).inlineListener(trail).start();
        StrictRig.until("a receive waits", () -> queue.waitingReceives() == 1);
        FutureTask<?> close = new FutureTask<>(worker::close, null);
        Thread.ofVirtual().start(close);
        trail.awaitCount(Draining.class, 1, LONG);
        assertThat(queue.waitingReceives()).as("the receive, left to end by itself").isEqualTo(1);
        queue.send("late");
        close.get(LONG.toSeconds(), TimeUnit.SECONDS);
        assertThat(trail.of(HandlerStarted.class)).isEmpty();
        assertThat(trail.of(Closed.class)).singleElement().satisfies(c -> assertThat(c.leftOver()).isEmpty());
        assertThat(queue.calls(Operation.RECEIVE)).as("receives").hasSize(1);
        assertThat(sqs.trespasses()).isEmpty();
        Invariants.check(trail, 64);
        List<Integer> counts = List.of(queue.counts().visible(), queue.counts().inFlight());
        if (queue.counts().visible() == 1) {
          isReceivedForTheSecondTime(queue);
        }
        return counts;
      }
    }

    private static void isReceivedForTheSecondTime(StrictQueue queue) {
      assertThat(queue.calls(Operation.CHANGE_VISIBILITY)).singleElement().satisfies(
          call -> assertThat(call.entries()).singleElement().satisfies(entry -> {
            assertThat(entry.visibility()).contains(Duration.ZERO);
            assertThat(entry.result()).isEqualTo(EndpointCall.Entry.DONE);
          }));
      Message again =
          queue.client()
              .receiveMessage(
                  call -> call.queueUrl(queue.url())
                      .messageSystemAttributeNames(MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT))
              .messages()
              .get(0);
      assertThat(again.attributes()).containsEntry(MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT, "2");
    }
  }

  @Test
  void S40_a_message_that_comes_to_a_poll_after_close_began_is_visible_again_when_close_returns() throws Exception {
    assertThat(new LateMessage().call()).containsExactly(1, 0);
  }

  @Test
  @SuppressWarnings("unchecked")
  void S40_control_a_worker_that_drops_what_the_last_poll_brings_leaves_it_in_flight() throws Exception {
    PatchedCore careless =
        PatchedCore.with(
            "io.queueworker.receive.PollLoop",
            "messages.forEach(message -> pollers.giveBack(intake.giveBack(message, from)));",
            "");
    assertThat((List<Integer>) careless.create(LateMessage.class, Callable.class).call()).containsExactly(0, 1);
  }
}
