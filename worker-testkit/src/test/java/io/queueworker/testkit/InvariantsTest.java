package io.queueworker.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queueworker.DuplicateCause;
import io.queueworker.DuplicateDiagnosis;
import io.queueworker.LossReason;
import io.queueworker.observe.EventContext;
import io.queueworker.observe.WorkerEvent;
import io.queueworker.queue.MessageQueue;
import io.queueworker.queue.Receipt;
import io.queueworker.queue.ReceiveRequest;
import io.queueworker.queue.VisibilityChange;
import io.queueworker.testkit.simulation.SimulatedQueue;
import io.queueworker.testkit.simulation.SimulatedTiming;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Each rule with a trail that keeps it and one that breaks it. */
class InvariantsTest {

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final DuplicateDiagnosis WHY = new DuplicateDiagnosis(DuplicateCause.UNKNOWN, "Nothing is known.");
  private static final WorkerEvent RECEIVED = received("m");
  private static final WorkerEvent COMMITTED = new WorkerEvent.Committed("m", 1, SECOND);
  private static final WorkerEvent SUPPRESSED = new WorkerEvent.Suppressed("m", 1, Optional.empty(), WHY);
  private static final WorkerEvent DELETED = new WorkerEvent.Deleted("m", 1, SECOND);
  private static final WorkerEvent RELEASED = new WorkerEvent.Released("m", 1, SECOND);
  private static final WorkerEvent RELEASE_FAILED = new WorkerEvent.ReleaseFailed("m", 1, "busy");
  private static final WorkerEvent LEFT = new WorkerEvent.LeftForRedrive("m", 1);
  private static final WorkerEvent LOST = new WorkerEvent.LeaseLost("m", 1, LossReason.EXPIRED, "late");
  private static final WorkerEvent NOT_STARTED = new WorkerEvent.NotStarted("m", 1, LossReason.EXPIRED);
  private static final WorkerEvent EXTEND_SENT = new WorkerEvent.ExtendSent("m", 1, SECOND, false);
  private static final WorkerEvent EXTENDED = new WorkerEvent.Extended("m", 1, SECOND);
  private static final WorkerEvent DELETE_RETRIED = new WorkerEvent.DeleteFailed("m", 1, "busy", Optional.of(SECOND));
  private static final WorkerEvent DELETE_GIVEN_UP = new WorkerEvent.DeleteFailed("m", 1, "busy", Optional.empty());
  private static final WorkerEvent CLOSED = new WorkerEvent.Closed(SECOND, List.of());

  private static final WorkerEvent RECEIVED_AGAIN = new WorkerEvent.Received("m", 2, SECOND);
  private static final WorkerEvent SUPPRESSED_AGAIN = new WorkerEvent.Suppressed("m", 2, Optional.empty(), WHY);
  private static final WorkerEvent DELETED_AGAIN = new WorkerEvent.Deleted("m", 2, SECOND);

  private static WorkerEvent received(String id) {
    return new WorkerEvent.Received(id, 1, SECOND);
  }

  private static List<String> broken(WorkerEvent... events) {
    return Invariants.broken(trail(events), 2);
  }

  private static Trail trail(WorkerEvent... events) {
    Trail trail = Trail.create();
    for (WorkerEvent event : events) {
      trail.onEvent(new EventContext("orders", "w1", Instant.EPOCH, 0), event);
    }
    return trail;
  }

  @Test
  void every_way_that_a_receive_may_end_keeps_the_rules() {
    assertThat(broken(RECEIVED, EXTEND_SENT, EXTENDED, COMMITTED, DELETED, CLOSED)).isEmpty();
    assertThat(broken(RECEIVED, SUPPRESSED, DELETE_RETRIED, DELETED, CLOSED)).isEmpty();
    assertThat(broken(RECEIVED, COMMITTED, DELETE_RETRIED, DELETE_GIVEN_UP, CLOSED)).isEmpty();
    assertThat(broken(RECEIVED, RELEASED, RECEIVED, RELEASE_FAILED, RECEIVED, LEFT, CLOSED)).isEmpty();
    assertThat(broken(RECEIVED, LOST, NOT_STARTED, RECEIVED_AGAIN, SUPPRESSED_AGAIN, DELETED_AGAIN, CLOSED)).isEmpty();
    assertThat(broken(RECEIVED, LOST, COMMITTED, DELETED, CLOSED)).isEmpty();
  }

  @Test
  void an_event_counts_for_the_receive_that_it_names() {
    WorkerEvent lostAgain = new WorkerEvent.LeaseLost("m", 2, LossReason.EXPIRED, "late");
    WorkerEvent extendedAgain = new WorkerEvent.Extended("m", 2, SECOND);
    // Two permits: had the loss counted for the first receive, the second would seem to be in flight for ever.
    assertThat(
        broken(RECEIVED, COMMITTED, RECEIVED_AGAIN, lostAgain, DELETE_GIVEN_UP, received("n"), received("o")))
        .isEmpty();
    // The first was lost and deleted; the second goes on until its own delete is confirmed.
    assertThat(
        broken(
            RECEIVED, LOST, RECEIVED_AGAIN, COMMITTED, SUPPRESSED_AGAIN, DELETED, extendedAgain, DELETED_AGAIN, CLOSED))
        .isEmpty();
    assertThat(broken(RECEIVED, RECEIVED_AGAIN, COMMITTED, DELETED_AGAIN))
        .containsExactly("orders/w1 message m: Deleted of receive 2 before its commit or twice");
    assertThat(broken(RECEIVED, RECEIVED_AGAIN, LOST, EXTEND_SENT)).hasSize(1);
    assertThat(broken(RECEIVED, COMMITTED, DELETED, RECEIVED_AGAIN, LOST)).hasSize(1);
  }

  @Test
  void nothing_is_extended_or_released_after_a_loss() {
    assertThat(broken(RECEIVED, LOST, EXTEND_SENT))
        .containsExactly("orders/w1 message m: ExtendSent of receive 1 after its end or twice");
    assertThat(broken(RECEIVED, LOST, EXTENDED)).hasSize(1);
    assertThat(broken(RECEIVED, LOST, RELEASED)).hasSize(1);
    assertThat(broken(RECEIVED, DELETED, EXTEND_SENT)).isNotEmpty();
  }

  @Test
  void nothing_is_deleted_before_its_commit() {
    assertThat(broken(RECEIVED, DELETED, COMMITTED))
        .containsExactly("orders/w1 message m: Deleted of receive 1 before its commit or twice");
    assertThat(broken(RECEIVED, COMMITTED, DELETED, RECEIVED, DELETED)).hasSize(1);
  }

  @Test
  void a_receive_is_settled_once() {
    assertThat(broken(RECEIVED, COMMITTED, DELETED, DELETED)).hasSize(1);
    assertThat(broken(RECEIVED, RELEASED, RELEASED)).hasSize(1);
    assertThat(broken(RECEIVED, RELEASED, LEFT)).hasSize(1);
    assertThat(broken(RECEIVED, LOST, LOST)).hasSize(1);
    assertThat(broken(RECEIVED, COMMITTED, COMMITTED))
        .containsExactly("orders/w1 message m: Committed of receive 1 after its end or twice");
    assertThat(broken(RELEASED)).containsExactly("orders/w1 message m: Released of receive 1 that never came");
  }

  @Test
  void a_receive_has_ended_when_its_worker_closed_and_may_be_open_when_it_did_not() {
    assertThat(broken(RECEIVED)).isEmpty();
    assertThat(broken(RECEIVED, CLOSED))
        .containsExactly("orders/w1 message m: 1 of 1 receives ended in no settlement and no loss");
  }

  @Test
  void receives_of_one_message_may_overlap() {
    // A service that counts approximately: both are the first receive.
    assertThat(broken(RECEIVED, RECEIVED, LOST, COMMITTED, DELETED, SUPPRESSED, DELETED, CLOSED)).isEmpty();
    assertThat(broken(RECEIVED, RECEIVED_AGAIN, COMMITTED, DELETED, SUPPRESSED_AGAIN, DELETED_AGAIN, CLOSED)).isEmpty();
    assertThat(broken(RECEIVED, RECEIVED_AGAIN, COMMITTED, DELETED, CLOSED)).hasSize(1);
  }

  @Test
  void in_flight_is_never_above_the_permits() {
    assertThat(broken(received("a"), received("b"))).isEmpty();
    assertThat(broken(received("a"), received("b"), received("c")))
        .containsExactly("orders/w1: 3 messages in flight with 2 permits");
    assertThat(broken(received("a"), RECEIVED, RELEASED, received("b"))).isEmpty();
  }

  @Test
  void a_simulated_queue_shows_trespasses_forbidden_calls_and_deletes_of_what_was_not_done() {
    SimulatedTiming.run(
        1,
        timing -> {
          SimulatedQueue queue = SimulatedQueue.standard(timing, "orders").visibility(SECOND);
          MessageQueue client = queue.connect();
          queue.send("x");
          Receipt receipt = client.receive(new ReceiveRequest(1, Duration.ZERO, null)).get(0).receipt();
          assertThat(Invariants.broken(trail(), 2, queue)).isEmpty();
          timing.sleep(Duration.ofSeconds(2));
          client.extend(List.of(new VisibilityChange(receipt, SECOND)), SECOND);
          assertThat(Invariants.broken(trail(), 2, queue)).hasSize(1);
          client.delete(List.of(receipt), SECOND);
          assertThat(Invariants.broken(trail(), 2, queue)).hasSize(2);
          assertThatThrownBy(() -> client.receive(new ReceiveRequest(0, Duration.ZERO, null)))
              .isInstanceOf(IllegalArgumentException.class);
          assertThat(Invariants.broken(trail(), 2, queue)).hasSize(3);
        });
  }

  @Test
  void a_failed_check_lists_the_breaches_and_the_trail() {
    assertThatThrownBy(() -> Invariants.check(trail(RECEIVED, DELETED), 2))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("Deleted of receive 1 before its commit")
        .hasMessageContaining("w1 Received[messageId=m");
    Invariants.check(trail(RECEIVED, COMMITTED, DELETED, CLOSED), 2);
  }
}
