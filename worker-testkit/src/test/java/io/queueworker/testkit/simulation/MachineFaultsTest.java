package io.queueworker.testkit.simulation;

import static io.queueworker.timing.Timing.ThreadKind.VIRTUAL;
import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.queue.EntryResult;
import io.queueworker.queue.MessageQueue;
import io.queueworker.queue.Receipt;
import io.queueworker.queue.ReceiveRequest;
import io.queueworker.queue.VisibilityChange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What happens to a machine around a call that it makes. */
class MachineFaultsTest {

  private static final Duration CALL = Duration.ofSeconds(3);

  /** A queue with one message that a machine of its own has received, and what that machine saw of its next call. */
  private static final class Scene {
    final SimulatedTiming timing;
    final SimulatedQueue queue;
    final SimulatedMachine machine;
    final MessageQueue client;
    final List<EntryResult> seen = new ArrayList<>();
    Receipt receipt;

    Scene(SimulatedTiming timing) {
      this.timing = timing;
      this.queue =
          SimulatedQueue.standard(timing, "orders").latency(Duration.ofMillis(10), Duration.ofMillis(10));
      this.machine = timing.machine("m", Duration.ZERO);
      this.client = queue.connect(machine);
      queue.send("x");
      this.receipt = queue.connect().receive(new ReceiveRequest(1, Duration.ZERO, null)).get(0).receipt();
    }

    void deleteWith(Fault fault) {
      queue.nextCall(CallKind.DELETE, fault);
      machine.start(VIRTUAL, "caller", () -> seen.addAll(client.delete(List.of(receipt), CALL)));
    }

    void extendWith(Fault fault) {
      queue.nextCall(CallKind.EXTEND, fault);
      List<VisibilityChange> change = List.of(new VisibilityChange(receipt, Duration.ofSeconds(30)));
      machine.start(VIRTUAL, "caller", () -> seen.addAll(client.extend(change, CALL)));
    }
  }

  private static void scene(ThrowingConsumer<Scene> play) {
    SimulatedTiming.run(1, timing -> play.accept(new Scene(timing)));
  }

  @Test
  void a_machine_that_dies_before_the_send_never_called() {
    scene(
        scene -> {
          scene.deleteWith(Fault.killBeforeSend());
          scene.timing.sleep(Duration.ofSeconds(1));
          assertThat(scene.machine.isKilled()).isTrue();
          assertThat(scene.seen).isEmpty();
          assertThat(scene.queue.calls(CallKind.DELETE)).isEmpty();
          assertThat(scene.queue.deleted()).isEmpty();
        });
  }

  @Test
  void a_machine_that_dies_after_the_send_has_called_and_sees_no_answer() {
    scene(
        scene -> {
          scene.deleteWith(Fault.killAfterSend());
          scene.timing.await("the machine is dead", () -> scene.machine.isKilled(), Duration.ofSeconds(1));
          assertThat(scene.queue.deleted()).isEmpty();
          scene.timing.sleep(Duration.ofSeconds(5));
          assertThat(scene.queue.deleted()).hasSize(1);
          assertThat(scene.seen).isEmpty();
          assertThat(scene.queue.calls(CallKind.DELETE).get(0).arrivedAt()).isPresent();
        });
  }

  @Test
  void a_machine_that_dies_when_the_answer_comes_has_called_and_no_thread_sees_the_answer() {
    scene(
        scene -> {
          scene.deleteWith(Fault.killAfterReply());
          scene.timing.await("the effect", () -> !scene.queue.deleted().isEmpty(), Duration.ofSeconds(1));
          assertThat(scene.machine.isKilled()).isFalse();
          scene.timing.sleep(Duration.ofSeconds(5));
          assertThat(scene.machine.isKilled()).isTrue();
          assertThat(scene.seen).isEmpty();
        });
  }

  @Test
  void the_other_machines_go_on() {
    scene(
        scene -> {
          scene.deleteWith(Fault.killAfterSend());
          scene.timing.sleep(Duration.ofSeconds(1));
          scene.queue.send("y");
          assertThat(scene.queue.connect().receive(new ReceiveRequest(1, Duration.ZERO, null))).hasSize(1);
        });
  }

  @Test
  void a_receive_of_a_machine_that_dies_after_the_send_takes_a_message() {
    scene(
        scene -> {
          scene.queue.send("y");
          scene.queue.nextCall(CallKind.RECEIVE, Fault.killAfterSend());
          scene.machine.start(
              VIRTUAL, "poll", () -> scene.client.receive(new ReceiveRequest(1, Duration.ZERO, null)));
          scene.timing.sleep(Duration.ofSeconds(1));
          assertThat(scene.queue.visible()).isEmpty();
          assertThat(scene.queue.inFlight()).hasSize(2);
        });
  }

  @Test
  void a_call_that_a_frozen_machine_decided_in_time_is_sent_late_and_no_trespass() {
    scene(
        scene -> {
          scene.extendWith(Fault.freezeBeforeSend(Duration.ofSeconds(40)));
          Duration decided = scene.timing.elapsed();
          scene.timing.sleep(Duration.ofSeconds(39));
          assertThat(scene.queue.visible()).hasSize(1);
          scene.timing.sleep(Duration.ofSeconds(2));
          SimulatedCall call = scene.queue.calls(CallKind.EXTEND).get(0);
          assertThat(call.decidedAt()).isEqualTo(decided);
          assertThat(call.sentAt()).isEqualTo(decided.plusSeconds(40));
          assertThat(call.arrivedAt()).contains(decided.plusSeconds(40).plusMillis(10));
          SimulatedCall.Entry entry = call.entries().get(0);
          assertThat(entry.heldWhenDecided()).isTrue();
          assertThat(entry.heldWhenSent()).isFalse();
          assertThat(entry.held()).isFalse();
          assertThat(scene.seen).containsExactly(new EntryResult.Done(scene.receipt));
          assertThat(scene.queue.trespasses()).isEmpty();
        });
  }

  @Test
  void a_call_that_a_worker_decided_too_late_is_a_trespass() {
    scene(
        scene -> {
          scene.timing.sleep(Duration.ofSeconds(31));
          scene.extendWith(Fault.none());
          scene.timing.sleep(Duration.ofSeconds(1));
          assertThat(scene.queue.trespasses()).hasSize(1);
        });
  }

  @Test
  void a_freeze_stands_the_whole_machine_still_and_no_other() {
    scene(
        scene -> {
          List<Duration> woken = new ArrayList<>();
          for (SimulatedMachine machine : List.of(scene.machine, scene.timing.home())) {
            machine.start(VIRTUAL, "sleeper", () -> {
              scene.timing.advance(Duration.ofSeconds(1));
              woken.add(scene.timing.elapsed());
            });
          }
          Duration start = scene.timing.elapsed();
          scene.timing.sleep(Duration.ofMillis(500));
          scene.deleteWith(Fault.freezeBeforeSend(Duration.ofSeconds(10)));
          scene.timing.sleep(Duration.ofSeconds(20));
          assertThat(woken).containsExactly(start.plusSeconds(1), start.plusMillis(10_500));
        });
  }

  @Test
  void the_clients_time_for_the_call_counts_from_the_send() {
    scene(
        scene -> {
          scene.deleteWith(Fault.freezeBeforeSend(Duration.ofSeconds(10)));
          scene.timing.sleep(Duration.ofSeconds(11));
          assertThat(scene.seen).containsExactly(new EntryResult.Done(scene.receipt));
        });
  }
}
