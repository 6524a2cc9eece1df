package io.queueworker.testkit.simulation;

import static io.queueworker.timing.Timing.ThreadKind.VIRTUAL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queueworker.queue.EntryResult;
import io.queueworker.queue.MessageQueue;
import io.queueworker.queue.QueueException;
import io.queueworker.queue.Receipt;
import io.queueworker.queue.ReceiveRequest;
import io.queueworker.queue.ReceivedMessage;
import io.queueworker.queue.VisibilityChange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SimulatedQueueTest {

  private static final Duration CALL = Duration.ofSeconds(3);
  private static final Duration NOT_AT_ALL = Duration.ZERO;

  /** A test that needs a queue and a connection. */
  private interface Scenario {
    void play(SimulatedTiming timing, SimulatedQueue queue, MessageQueue client) throws Exception;
  }

  private static void standard(Scenario scenario) {
    SimulatedTiming.run(
        1,
        timing -> {
          SimulatedQueue queue = SimulatedQueue.standard(timing, "orders").latency(Duration.ZERO, Duration.ZERO);
          scenario.play(timing, queue, queue.connect());
        });
  }

  private static void smq(Scenario scenario) {
    SimulatedTiming.run(
        1,
        timing -> {
          SimulatedQueue queue = SimulatedQueue.smqLike(timing, "orders").latency(Duration.ZERO, Duration.ZERO);
          scenario.play(timing, queue, queue.connect());
        });
  }

  private static List<ReceivedMessage> receive(MessageQueue client, int max, Duration wait) {
    return client.receive(new ReceiveRequest(max, wait, null));
  }

  private static ReceivedMessage one(MessageQueue client) {
    List<ReceivedMessage> received = receive(client, 1, Duration.ofSeconds(20));
    assertThat(received).hasSize(1);
    return received.get(0);
  }

  private static EntryResult extend(MessageQueue client, Receipt receipt, Duration by) {
    return client.extend(List.of(new VisibilityChange(receipt, by)), CALL).get(0);
  }

  private static EntryResult release(MessageQueue client, Receipt receipt, Duration delay) {
    return client.release(List.of(new VisibilityChange(receipt, delay)), CALL).get(0);
  }

  private static EntryResult delete(MessageQueue client, Receipt receipt) {
    return client.delete(List.of(receipt), CALL).get(0);
  }

  @Test
  void a_received_message_is_hidden_and_comes_back_with_a_new_receipt_and_a_higher_count() {
    standard(
        (timing, queue, client) -> {
          queue.send("hello");
          ReceivedMessage first = one(client);
          assertThat(first.body()).isEqualTo("hello");
          assertThat(receive(client, 10, NOT_AT_ALL)).isEmpty();
          timing.sleep(Duration.ofSeconds(30));
          ReceivedMessage second = one(client);
          assertThat(second.id()).isEqualTo(first.id());
          assertThat(second.receiveCount()).isEqualTo(2);
          assertThat(second.receipt()).isNotEqualTo(first.receipt());
        });
  }

  @Test
  void an_extension_counts_from_the_call() {
    standard(
        (timing, queue, client) -> {
          queue.send("x");
          Receipt receipt = one(client).receipt();
          timing.sleep(Duration.ofSeconds(20));
          assertThat(extend(client, receipt, Duration.ofSeconds(30))).isEqualTo(new EntryResult.Done(receipt));
          timing.sleep(Duration.ofSeconds(29));
          assertThat(queue.inFlight()).hasSize(1);
          timing.sleep(Duration.ofSeconds(1));
          assertThat(queue.visible()).hasSize(1);
        });
  }

  @Test
  void fractions_of_a_second_are_rounded_up() {
    standard(
        (timing, queue, client) -> {
          queue.send("x");
          extend(client, one(client).receipt(), Duration.ofMillis(1200));
          timing.sleep(Duration.ofMillis(1999));
          assertThat(queue.inFlight()).hasSize(1);
          timing.sleep(Duration.ofMillis(1));
          assertThat(queue.visible()).hasSize(1);
        });
  }

  @Test
  void a_long_poll_wakes_on_a_send_and_ends_empty_by_time() {
    standard(
        (timing, queue, client) -> {
          timing.start(VIRTUAL, "sender", () -> {
            timing.advance(Duration.ofSeconds(7));
            queue.send("late");
          });
          assertThat(one(client).body()).isEqualTo("late");
          assertThat(timing.elapsed()).isEqualTo(Duration.ofSeconds(7));
          assertThat(receive(client, 1, Duration.ofSeconds(20))).isEmpty();
          assertThat(timing.elapsed()).isEqualTo(Duration.ofSeconds(27));
        });
  }

  @Test
  void a_long_poll_wakes_when_a_visibility_timeout_ends_or_a_message_is_released() {
    standard(
        (timing, queue, client) -> {
          queue.visibility(Duration.ofSeconds(10)).send("x");
          Receipt receipt = one(client).receipt();
          one(client);
          assertThat(timing.elapsed()).isEqualTo(Duration.ofSeconds(10));
          timing.start(VIRTUAL, "releaser", () -> {
            timing.advance(Duration.ofSeconds(3));
            release(client, receipt, Duration.ZERO);
          });
          one(client);
          assertThat(timing.elapsed()).isEqualTo(Duration.ofSeconds(13));
        });
  }

  @Test
  void an_old_receipt_still_acts_on_the_new_holders_message() {
    standard(
        (timing, queue, client) -> {
          queue.send("x");
          Receipt old = one(client).receipt();
          timing.sleep(Duration.ofSeconds(31));
          one(client);
          assertThat(release(client, old, Duration.ZERO)).isInstanceOf(EntryResult.Done.class);
          assertThat(queue.visible()).hasSize(1);
          assertThat(queue.trespasses()).hasSize(1);
          one(client);
          assertThat(extend(client, old, Duration.ofHours(1))).isInstanceOf(EntryResult.Done.class);
          timing.sleep(Duration.ofMinutes(59));
          assertThat(queue.inFlight()).hasSize(1);
          assertThat(delete(client, old)).isInstanceOf(EntryResult.Done.class);
          assertThat(queue.isEmpty()).isTrue();
        });
  }

  @Test
  void an_extension_of_a_receipt_that_ran_out_answers_well_and_does_nothing() {
    standard(
        (timing, queue, client) -> {
          queue.send("x");
          Receipt receipt = one(client).receipt();
          timing.sleep(Duration.ofSeconds(30));
          assertThat(extend(client, receipt, Duration.ofSeconds(30))).isInstanceOf(EntryResult.Done.class);
          assertThat(queue.visible()).hasSize(1);
          assertThat(queue.trespasses()).hasSize(1);
        });
  }

  @Test
  void a_delete_works_after_the_timeout_and_again_and_then_an_extension_says_gone() {
    standard(
        (timing, queue, client) -> {
          String id = queue.send("x");
          Receipt receipt = one(client).receipt();
          timing.sleep(Duration.ofSeconds(40));
          assertThat(delete(client, receipt)).isInstanceOf(EntryResult.Done.class);
          assertThat(delete(client, receipt)).isInstanceOf(EntryResult.Done.class);
          assertThat(queue.deleted()).containsExactly(id);
          assertThat(extend(client, receipt, Duration.ofSeconds(5))).isEqualTo(new EntryResult.Gone());
          assertThat(extend(client, new Receipt("garbage"), Duration.ofSeconds(5)))
              .isInstanceOf(EntryResult.Lost.class);
        });
  }

  @Test
  void nothing_is_held_beyond_twelve_hours_from_its_receive_request() {
    standard(
        (timing, queue, client) -> {
          queue.send("x");
          Receipt receipt = one(client).receipt();
          timing.sleep(Duration.ofSeconds(10));
          EntryResult tooLong = extend(client, receipt, Duration.ofHours(12));
          assertThat(tooLong).isInstanceOf(EntryResult.Lost.class);
          assertThat(tooLong.toString()).contains("beyond the limit [43200 seconds]");
          assertThat(extend(client, receipt, Duration.ofHours(12).minusSeconds(10)))
              .isInstanceOf(EntryResult.Done.class);
          timing.sleep(Duration.ofHours(12));
          assertThat(delete(client, receipt)).isEqualTo(new EntryResult.Lost("The receipt handle has expired."));
        });
  }

  @Test
  void the_receive_after_the_last_allowed_one_moves_the_message_to_the_dead_letters() {
    standard(
        (timing, queue, client) -> {
          queue.maxReceiveCount(2).visibility(Duration.ofSeconds(5));
          String id = queue.send("poison");
          one(client);
          one(client);
          assertThat(receive(client, 10, Duration.ofSeconds(20))).isEmpty();
          assertThat(queue.deadLetters()).extracting(SimulatedMessage::id).containsExactly(id);
          assertThat(queue.deadLetters()).extracting(SimulatedMessage::receiveCount).containsExactly(2);
          assertThat(queue.isEmpty()).isTrue();
          assertThat(client.attributes().maxReceiveCount()).isEqualTo(OptionalInt.of(2));
        });
  }

  @Test
  void what_the_port_forbids_is_refused_and_remembered() {
    standard(
        (timing, queue, client) -> {
          List<Receipt> eleven = new ArrayList<>();
          for (int i = 0; i < 11; i++) {
            eleven.add(new Receipt("r" + i));
          }
          refused(() -> client.delete(eleven, CALL), "at most 10");
          refused(() -> client.delete(Collections.nCopies(2, eleven.get(0)), CALL), "a receipt twice");
          refused(() -> receive(client, 11, NOT_AT_ALL), "receive of 11 messages");
          refused(() -> receive(client, 1, Duration.ofSeconds(21)), "long poll PT21S");
          refused(() -> extend(client, eleven.get(0), Duration.ZERO), "EXTEND to PT0S");
          refused(() -> release(client, eleven.get(0), Duration.ofHours(13)), "RELEASE to PT13H");
          client.close();
          refused(() -> client.attributes(), "after close()");
          assertThat(queue.violations()).hasSize(7);
          assertThat(queue.calls()).isEmpty();
        });
  }

  private static void refused(org.assertj.core.api.ThrowableAssert.ThrowingCallable call, String words) {
    assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(words);
  }

  @Test
  void every_call_is_logged_with_its_messages_and_results() {
    standard(
        (timing, queue, client) -> {
          List<String> ids = queue.sendAll(List.of("a", "b"));
          List<ReceivedMessage> received = receive(client, 10, NOT_AT_ALL);
          client.delete(received.stream().map(ReceivedMessage::receipt).toList(), CALL);
          assertThat(queue.calls()).extracting(SimulatedCall::kind).containsExactly(CallKind.RECEIVE, CallKind.DELETE);
          assertThat(queue.calls(CallKind.RECEIVE).get(0).messageIds()).isEqualTo(ids);
          assertThat(queue.entries(CallKind.DELETE)).isEqualTo(2);
          assertThat(queue.calls(CallKind.DELETE).get(0).entries())
              .allMatch(SimulatedCall.Entry::held)
              .allMatch(entry -> entry.result().orElseThrow() instanceof EntryResult.Done);
          assertThat(queue.trespasses()).isEmpty();
        });
  }

  @Test
  void an_extension_of_a_message_that_the_next_holder_deleted_is_a_trespass_though_nothing_is_there_to_extend() {
    standard(
        (timing, queue, client) -> {
          queue.send("x");
          Receipt lapsed = one(client).receipt();
          timing.sleep(Duration.ofSeconds(31));
          delete(client, one(client).receipt());
          assertThat(extend(client, lapsed, Duration.ofSeconds(30))).isEqualTo(new EntryResult.Gone());
          assertThat(queue.trespasses()).hasSize(1);
        });
  }

  @Test
  void an_extension_in_time_is_no_trespass_when_its_own_delete_came_first_and_after_its_time_it_is_one() {
    standard(
        (timing, queue, client) -> {
          queue.send("x");
          Receipt receipt = one(client).receipt();
          delete(client, receipt);
          timing.sleep(Duration.ofSeconds(29));
          assertThat(extend(client, receipt, Duration.ofSeconds(30))).isEqualTo(new EntryResult.Gone());
          assertThat(queue.trespasses()).isEmpty();
          timing.sleep(Duration.ofSeconds(1));
          extend(client, receipt, Duration.ofSeconds(30));
          assertThat(queue.trespasses()).hasSize(1);
        });
  }

  @Test
  void a_client_waits_for_a_receive_as_long_as_its_timeout_beyond_the_long_poll_says() {
    standard(
        (timing, queue, client) -> {
          queue.receiveTimeout(Duration.ofSeconds(3)).nextCall(CallKind.RECEIVE, Fault.loseRequest());
          assertThatThrownBy(() -> receive(client, 1, Duration.ofSeconds(5))).isInstanceOf(QueueException.class);
          assertThat(timing.elapsed()).isEqualTo(Duration.ofSeconds(8));
        });
  }

  @Test
  void a_late_answer_does_not_end_the_clients_next_call() {
    standard(
        (timing, queue, client) -> {
          queue.sendAll(List.of("a", "b"));
          List<Receipt> receipts =
              receive(client, 2, NOT_AT_ALL).stream().map(ReceivedMessage::receipt).toList();
          queue.nextCall(CallKind.DELETE, Fault.delayReply(CALL.plusSeconds(1)));
          assertThat(delete(client, receipts.get(0))).isInstanceOf(EntryResult.Retryable.class);
          queue.nextCall(CallKind.DELETE, Fault.delayReply(CALL.minusSeconds(1)));
          assertThat(delete(client, receipts.get(1))).isEqualTo(new EntryResult.Done(receipts.get(1)));
          assertThat(queue.faultsLeft()).isZero();
        });
  }

  @Test
  void a_failing_call_has_no_effect_and_answers_each_entry() {
    standard(
        (timing, queue, client) -> {
          queue.send("x");
          Receipt receipt = one(client).receipt();
          queue.nextCall(CallKind.DELETE, Fault.throttled());
          assertThat(delete(client, receipt)).isEqualTo(new EntryResult.Retryable("Rate exceeded"));
          queue.nextCall(CallKind.DELETE, Fault.fail(QueueException.denied("sqs:DeleteMessage", "no", null)));
          assertThat(delete(client, receipt)).isEqualTo(new EntryResult.Denied("sqs:DeleteMessage"));
          queue.nextCall(CallKind.DELETE, Fault.everyEntry(new EntryResult.Retryable("busy")));
          assertThat(delete(client, receipt)).isEqualTo(new EntryResult.Retryable("busy"));
          assertThat(queue.inFlight()).hasSize(1);
          queue.nextCall(CallKind.RECEIVE, Fault.unavailable());
          assertThatThrownBy(() -> one(client)).isInstanceOf(QueueException.class);
          assertThat(delete(client, receipt)).isInstanceOf(EntryResult.Done.class);
          assertThat(queue.isEmpty()).isTrue();
        });
  }

  @Test
  void some_entries_of_a_batch_can_fail_alone() {
    standard(
        (timing, queue, client) -> {
          List<String> ids = queue.sendAll(List.of("a", "b"));
          List<Receipt> receipts = receive(client, 2, NOT_AT_ALL).stream().map(ReceivedMessage::receipt).toList();
          queue.onCall(
              CallKind.DELETE,
              call -> Fault.entries(
                  id -> id.equals(ids.get(1)) ? Optional.of(new EntryResult.Retryable("busy")) : Optional.empty()));
          assertThat(client.delete(receipts, CALL))
              .containsExactly(new EntryResult.Done(receipts.get(0)), new EntryResult.Retryable("busy"));
          assertThat(queue.deleted()).containsExactly(ids.get(0));
        });
  }

  @Test
  void a_lost_reply_hides_an_effect_and_a_lost_request_has_none() {
    standard(
        (timing, queue, client) -> {
          queue.sendAll(List.of("a", "b"));
          List<ReceivedMessage> received = receive(client, 2, NOT_AT_ALL);
          queue.nextCall(CallKind.DELETE, Fault.loseReply());
          assertThat(delete(client, received.get(0).receipt())).isInstanceOf(EntryResult.Retryable.class);
          assertThat(queue.deleted()).hasSize(1);
          assertThat(timing.elapsed()).isZero();
          queue.nextCall(CallKind.DELETE, Fault.loseRequest());
          assertThat(delete(client, received.get(1).receipt())).isInstanceOf(EntryResult.Retryable.class);
          assertThat(queue.deleted()).hasSize(1);
          assertThat(timing.elapsed()).isEqualTo(CALL);
        });
  }

  @Test
  void a_late_request_acts_after_the_client_gave_up() {
    standard(
        (timing, queue, client) -> {
          queue.send("x");
          Receipt receipt = one(client).receipt();
          queue.nextCall(CallKind.DELETE, Fault.delayRequest(Duration.ofSeconds(5)));
          assertThat(delete(client, receipt)).isEqualTo(new EntryResult.Retryable("no answer within PT3S"));
          assertThat(queue.deleted()).isEmpty();
          timing.sleep(Duration.ofSeconds(3));
          assertThat(queue.deleted()).hasSize(1);
        });
  }

  @Test
  void a_hanging_receive_keeps_its_client_beyond_every_timeout() {
    standard(
        (timing, queue, client) -> {
          queue.send("x");
          queue.nextCall(CallKind.RECEIVE, Fault.hang(Duration.ofMinutes(5)));
          one(client);
          assertThat(timing.elapsed()).isEqualTo(Duration.ofMinutes(5));
          assertThat(queue.visible()).hasSize(1);
        });
  }

  @Test
  void the_long_poll_of_a_killed_machine_still_takes_a_message() {
    standard(
        (timing, queue, client) -> {
          SimulatedMachine crashed = timing.machine("crashed", Duration.ZERO);
          MessageQueue dying = queue.connect(crashed);
          List<ReceivedMessage> seen = new ArrayList<>();
          crashed.start(VIRTUAL, "poll", () -> seen.add(one(dying)));
          timing.sleep(Duration.ofSeconds(1));
          crashed.kill();
          queue.send("x");
          timing.sleep(Duration.ofSeconds(1));
          assertThat(seen).isEmpty();
          assertThat(queue.inFlight()).hasSize(1);
          assertThat(queue.calls().get(0).machine()).isEqualTo("crashed");
        });
  }

  @Test
  void a_request_of_a_machine_that_is_killed_on_the_way_still_has_its_effect() {
    SimulatedTiming.run(
        1,
        timing -> {
          SimulatedQueue queue =
              SimulatedQueue.standard(timing, "orders").latency(Duration.ofMillis(50), Duration.ofMillis(50));
          SimulatedMachine machine = timing.machine("m", Duration.ZERO);
          MessageQueue client = queue.connect(machine);
          queue.send("x");
          machine.start(VIRTUAL, "deleter", () -> delete(client, one(client).receipt()));
          timing.await("the delete is sent", () -> !queue.calls(CallKind.DELETE).isEmpty(), Duration.ofSeconds(5));
          machine.kill();
          assertThat(queue.deleted()).isEmpty();
          timing.sleep(Duration.ofSeconds(1));
          assertThat(queue.deleted()).hasSize(1);
        });
  }

  @Test
  void too_many_in_flight_fail_a_short_poll_and_leave_a_long_one_empty() {
    standard(
        (timing, queue, client) -> {
          queue.inFlightLimit(1).sendAll(List.of("a", "b"));
          one(client);
          assertThatThrownBy(() -> receive(client, 1, NOT_AT_ALL))
              .isInstanceOfSatisfying(
                  QueueException.class, e -> assertThat(e.kind()).isEqualTo(QueueException.Kind.OVER_LIMIT));
          assertThat(receive(client, 1, Duration.ofSeconds(5))).isEmpty();
        });
  }

  @Test
  void other_seeds_bring_messages_in_another_order_when_asked_to() {
    Set<List<String>> orders = new HashSet<>();
    for (int seed = 0; seed < 20; seed++) {
      SimulatedTiming.run(
          seed,
          timing -> {
            SimulatedQueue queue = SimulatedQueue.standard(timing, "orders").anyOrder();
            queue.sendAll(List.of("a", "b", "c"));
            orders.add(receive(queue.connect(), 3, NOT_AT_ALL).stream().map(ReceivedMessage::body).toList());
          });
    }
    assertThat(orders).hasSizeGreaterThan(2);
  }

  @Test
  void on_an_smq_like_queue_an_extension_ends_the_old_receipt() {
    smq(
        (timing, queue, client) -> {
          queue.send("x");
          Receipt first = one(client).receipt();
          EntryResult answer = extend(client, first, Duration.ofSeconds(40));
          Receipt second = ((EntryResult.Done) answer).receipt();
          assertThat(second).isNotEqualTo(first);
          assertThat(extend(client, first, Duration.ofSeconds(40))).isInstanceOf(EntryResult.Lost.class);
          assertThat(delete(client, first)).isInstanceOf(EntryResult.Lost.class);
          assertThat(delete(client, second)).isInstanceOf(EntryResult.Done.class);
          assertThat(extend(client, second, Duration.ofSeconds(40))).isEqualTo(new EntryResult.Gone());
        });
  }

  @Test
  void on_an_smq_like_queue_a_receipt_that_ran_out_is_refused() {
    smq(
        (timing, queue, client) -> {
          queue.send("x");
          Receipt receipt = one(client).receipt();
          timing.sleep(Duration.ofSeconds(30));
          assertThat(extend(client, receipt, Duration.ofSeconds(5))).isInstanceOf(EntryResult.Lost.class);
          assertThat(delete(client, receipt)).isInstanceOf(EntryResult.Lost.class);
          assertThat(queue.visible()).hasSize(1);
        });
  }

  @Test
  void on_an_smq_like_queue_there_is_no_zero_delay_no_batch_extension_and_no_visibility_of_a_receive() {
    smq(
        (timing, queue, client) -> {
          queue.sendAll(List.of("a", "b"));
          List<ReceivedMessage> two = receive(client, 2, NOT_AT_ALL);
          List<VisibilityChange> both =
              two.stream().map(m -> new VisibilityChange(m.receipt(), Duration.ofSeconds(9))).toList();
          refused(() -> client.extend(both, CALL), "at most 1");
          refused(() -> release(client, two.get(0).receipt(), Duration.ZERO), "RELEASE to PT0S");
          refused(
              () -> client.receive(new ReceiveRequest(1, NOT_AT_ALL, Duration.ofSeconds(9))),
              "which this service knows not");
        });
  }

  @Test
  void the_same_seed_gives_the_same_calls() {
    assertThat(callsOf(11)).isEqualTo(callsOf(11)).isNotEqualTo(callsOf(12));
  }

  private static List<String> callsOf(long seed) {
    List<String> calls = new ArrayList<>();
    SimulatedTiming.run(
        seed,
        timing -> {
          SimulatedQueue queue = SimulatedQueue.standard(timing, "orders");
          queue.sendAll(Collections.nCopies(20, "x"));
          for (int w = 0; w < 3; w++) {
            MessageQueue client = queue.connect(timing.machine(Duration.ZERO));
            timing.start(VIRTUAL, "worker-" + w, () -> {
              for (List<ReceivedMessage> got = receive(client, 2, NOT_AT_ALL); !got.isEmpty(); got =
                  receive(client, 2, NOT_AT_ALL)) {
                client.delete(got.stream().map(ReceivedMessage::receipt).toList(), CALL);
              }
            });
          }
          timing.await("all are deleted", () -> queue.isEmpty(), Duration.ofMinutes(1));
          queue.calls().forEach(call -> calls.add(call.toString()));
        });
    return calls;
  }
}
