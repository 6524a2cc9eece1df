package io.queueworker.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.KeyFunction;
import io.queueworker.QueueWorker;
import io.queueworker.RejectException;
import io.queueworker.deadletter.DeadLetter;
import io.queueworker.deadletter.DeadLetters;
import io.queueworker.deadletter.ListRequest;
import io.queueworker.deadletter.RedriveReport;
import io.queueworker.deadletter.RedriveRequest;
import io.queueworker.spec.Specs.MemoryGate;
import io.queueworker.spec.Specs.Seeds;
import io.queueworker.testkit.simulation.CallKind;
import io.queueworker.testkit.simulation.Fault;
import io.queueworker.testkit.simulation.SimulatedMachine;
import io.queueworker.testkit.simulation.SimulatedQueue;
import io.queueworker.timing.Timing.ThreadKind;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** Rejected by a worker, then sent back to it: one effect for each message, although the redrive dies on its way. */
class RoundTripTest {

  private static final int MESSAGES = 12;
  private static final List<String> BODIES = IntStream.range(0, MESSAGES).mapToObj(Integer::toString).toList();

  /** The effects of a round trip in which the redrive dies at its third delete. */
  private static List<String> effects(Rig rig, SimulatedQueue queue, KeyFunction<String> key) {
    MemoryGate gate = new MemoryGate(true);
    boolean[] fixed = new boolean[1];
    QueueWorker worker =
        rig.on(queue)
            .once(
                gate,
                key,
                (delivery, words) -> {
                  if (!fixed[0]) {
                    throw new RejectException("the customer is unknown");
                  }
                  words.add(delivery.body());
                })
            .start();
    SimulatedQueue dead = queue.deadLetterQueue().orElseThrow();
    rig.timing.await("all are rejected", () -> dead.visible().size() == MESSAGES && queue.isEmpty(),
        Duration.ofHours(1));
    DeadLetters deadLetters = DeadLetters.of(queue.connect()).timing(rig.timing);
    assertThat(deadLetters.list(ListRequest.defaults()).letters()).hasSize(MESSAGES)
        .extracting(DeadLetter::reason).allMatch(reason -> reason.orElse("").equals("the customer is unknown"));

    fixed[0] = true;
    SimulatedMachine mortal = rig.timing.machine("mortal", Duration.ZERO);
    int[] deletes = new int[1];
    dead.onCall(
        CallKind.DELETE,
        call -> {
          deletes[0]++;
          return deletes[0] == 3 ? Fault.killBeforeSend() : Fault.none();
        });
    DeadLetters doomed = DeadLetters.of(queue.connect(mortal)).timing(mortal);
    mortal.start(ThreadKind.PLATFORM, "redrive", () -> doomed.redrive(RedriveRequest.all()));
    rig.timing.await("the redrive died", mortal::isKilled, Duration.ofMinutes(5));
    rig.timing.advance(Duration.ofMinutes(2));
    RedriveReport report = deadLetters.redrive(RedriveRequest.all());
    assertThat(report.isComplete()).as("%s", report).isTrue();
    rig.timing.await("all are handled", queue::isEmpty, Duration.ofHours(1));
    worker.close();
    assertThat(dead.isEmpty()).isTrue();
    return gate.effects;
  }

  private static SimulatedQueue fifo(Rig rig) {
    SimulatedQueue fifo = SimulatedQueue.fifo(rig.timing, "orders.fifo").maxReceiveCount(100);
    for (int i = 0; i < MESSAGES; i++) {
      fifo.send(Integer.toString(i), "group-" + i, "sent-" + i);
    }
    return fifo;
  }

  @Seeds
  void on_a_standard_queue_each_message_has_one_effect(long seed) {
    Rig.run(
        seed,
        rig -> {
          rig.send(MESSAGES);
          assertThat(effects(rig, rig.queue, KeyFunction.messageId())).containsExactlyInAnyOrderElementsOf(BODIES);
        });
  }

  @Seeds
  void on_a_fifo_queue_each_message_has_one_effect(long seed) {
    Rig.run(
        seed,
        rig -> assertThat(effects(rig, fifo(rig), KeyFunction.messageId()))
            .containsExactlyInAnyOrderElementsOf(BODIES));
  }

  @Seeds
  void without_the_first_id_as_the_key_the_message_on_which_the_redrive_died_has_two_effects(long seed) {
    Rig.run(
        seed,
        rig -> {
          rig.send(MESSAGES);
          assertThat(effects(rig, rig.queue, delivery -> delivery.id())).hasSize(MESSAGES + 1).containsAll(BODIES);
        });
  }
}
