package io.queueworker.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queueworker.queue.EntryResult;
import io.queueworker.queue.MessageQueue;
import io.queueworker.queue.QueueException;
import io.queueworker.queue.QueueException.Kind;
import io.queueworker.queue.Receipt;
import io.queueworker.queue.ReceiveRequest;
import io.queueworker.queue.ReceivedMessage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The refusals of a service that have nothing to do with a message, as the port shows them. */
class ServiceFaultsTest {

  private static void assertReceive(Fault fault, Kind kind, String permission) {
    SimulatedTiming.run(
        1,
        timing -> {
          SimulatedQueue queue = SimulatedQueue.standard(timing, "orders").nextCall(CallKind.RECEIVE, fault);
          queue.send("x");
          MessageQueue client = queue.connect();
          assertThatThrownBy(() -> client.receive(new ReceiveRequest(1, Duration.ZERO, null)))
              .isInstanceOfSatisfying(
                  QueueException.class,
                  failed -> {
                    assertThat(failed.kind()).isEqualTo(kind);
                    assertThat(failed.deniedAction().orElse("")).isEqualTo(permission);
                  });
          assertThat(queue.visible()).hasSize(1);
        });
  }

  private static EntryResult delete(Fault fault) {
    EntryResult[] result = new EntryResult[1];
    SimulatedTiming.run(
        1,
        timing -> {
          SimulatedQueue queue = SimulatedQueue.standard(timing, "orders").nextCall(CallKind.DELETE, fault);
          queue.send("x");
          MessageQueue client = queue.connect();
          var message = client.receive(new ReceiveRequest(1, Duration.ZERO, null)).get(0);
          result[0] = client.delete(List.of(message.receipt()), Duration.ofSeconds(3)).get(0);
          assertThat(queue.inFlight()).hasSize(1);
        });
    return result[0];
  }

  @Test
  void throttling_by_the_service_and_by_its_key_service() {
    assertReceive(Fault.throttled(), Kind.THROTTLED, "");
    assertReceive(Fault.kmsThrottled(), Kind.THROTTLED, "");
    assertThat(delete(Fault.kmsThrottled())).isInstanceOf(EntryResult.Retryable.class);
  }

  @Test
  void a_queue_that_is_full_or_gone() {
    assertReceive(Fault.overLimit(), Kind.OVER_LIMIT, "");
    assertReceive(Fault.queueDoesNotExist(), Kind.MISSING, "");
    assertThat(delete(Fault.queueDoesNotExist())).isInstanceOf(EntryResult.Retryable.class);
  }

  @Test
  void a_missing_permission_is_named_by_the_call_that_needs_it() {
    assertReceive(Fault.accessDenied(CallKind.RECEIVE), Kind.DENIED, "sqs:ReceiveMessage");
    assertThat(delete(Fault.accessDenied(CallKind.DELETE))).isEqualTo(new EntryResult.Denied("sqs:DeleteMessage"));
    assertThat(CallKind.EXTEND.permission()).isEqualTo("sqs:ChangeMessageVisibility");
    assertThat(CallKind.RELEASE.permission()).isEqualTo("sqs:ChangeMessageVisibility");
    assertThat(CallKind.ATTRIBUTES.permission()).isEqualTo("sqs:GetQueueAttributes");
  }

  @Test
  void credentials_that_are_too_old() {
    assertReceive(Fault.expiredToken(CallKind.RECEIVE), Kind.DENIED, "sqs:ReceiveMessage");
    assertThat(delete(Fault.expiredToken(CallKind.DELETE))).isEqualTo(new EntryResult.Denied("sqs:DeleteMessage"));
  }

  @Test
  void a_fault_for_single_entries_waits_for_a_batch_in_which_they_fail() {
    SimulatedTiming.run(
        1,
        timing -> {
          SimulatedQueue queue = SimulatedQueue.standard(timing, "orders");
          List<String> ids = queue.sendAll(List.of("a", "b"));
          MessageQueue client = queue.connect();
          List<Receipt> receipts =
              client.receive(new ReceiveRequest(2, Duration.ZERO, null)).stream().map(ReceivedMessage::receipt)
                  .toList();
          queue.nextCall(
              CallKind.DELETE,
              Fault.entries(
                  id -> id.equals(ids.get(1)) ? Optional.of(new EntryResult.Retryable("busy")) : Optional.empty()));
          Duration time = Duration.ofSeconds(3);
          assertThat(client.delete(receipts.subList(0, 1), time))
              .containsExactly(new EntryResult.Done(receipts.get(0)));
          assertThat(queue.faultsLeft()).isEqualTo(1);
          assertThat(client.delete(receipts, time).get(1)).isEqualTo(new EntryResult.Retryable("busy"));
          assertThat(queue.faultsLeft()).isZero();
          assertThat(client.delete(receipts, time).get(1)).isEqualTo(new EntryResult.Done(receipts.get(1)));
        });
  }

  @Test
  void a_call_without_entries_takes_no_fault_for_entries() {
    SimulatedTiming.run(
        1,
        timing -> {
          SimulatedQueue queue = SimulatedQueue.standard(timing, "orders");
          Fault entries = Fault.everyEntry(new EntryResult.Gone());
          assertThatThrownBy(() -> queue.nextCall(CallKind.RECEIVE, entries))
              .isInstanceOf(IllegalArgumentException.class)
              .hasMessageStartingWith("RECEIVE has no entries that could fail");
          assertThat(queue.faultsLeft()).isZero();
        });
  }
}
