package io.queueworker.spec;

import io.queueworker.DuplicateCause;
import io.queueworker.DuplicateDiagnosis;
import io.queueworker.QueueWorker;
import io.queueworker.WorkerBuilder;
import io.queueworker.deadletter.DeadLetters;
import io.queueworker.deadletter.RedriveRequest;
import io.queueworker.observe.WorkerEvent.Committed;
import io.queueworker.observe.WorkerEvent.Deleted;
import io.queueworker.observe.WorkerEvent.HandlerStarted;
import io.queueworker.observe.WorkerEvent.Suppressed;
import io.queueworker.queue.EntryResult;
import io.queueworker.testkit.simulation.CallKind;
import io.queueworker.testkit.simulation.Fault;
import io.queueworker.testkit.simulation.SimulatedMachine;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * Traces with an injected cause of a duplicate each, on two workers that have a machine of their own. The first one gets the
 * message first and takes no other afterwards; unless a question says otherwise, the handler takes 45 s, the visibility timeout
 * is 30 s, and the heartbeat is on. Not thread-safe.
 */
final class CauseQuiz {

  private static final Duration LONG = Duration.ofHours(2);

  /** A question: what is done, in words, and the right answer. */
  enum Question {
    HEARTBEAT_OFF("The heartbeat of the first worker is off", DuplicateCause.TIMEOUT_TOO_SHORT),
    NO_ANSWER_TO_BEATS("Extensions of the first worker do not reach the service", DuplicateCause.BEATS_FAILED),
    NO_RIGHT_TO_EXTEND("The first worker has no right to extend", DuplicateCause.BEATS_DENIED),
    FROZEN("The first worker stands still for a minute during the work", DuplicateCause.PROCESS_FROZEN),
    OVERTIME("The handler ignores the interrupt at maxProcessingTime = 10 s", DuplicateCause.GIVEN_UP),
    CLOSED("The first worker closes with drainTimeout = 5 s, and its handler ignores it", DuplicateCause.WORKER_CLOSED),
    KILLED("The first worker is killed between the commit and the delete", DuplicateCause.PROCESS_DIED),
    DELETE_FAILED_HERE("A delete is refused, and the same worker gets the message again", DuplicateCause.DELETE_FAILED),
    DELETE_FAILED_THERE("All deletes of the first worker fail", DuplicateCause.DELETE_FAILED),
    COMMIT_UNANSWERED("The commit is made and not answered", DuplicateCause.COMMIT_UNANSWERED),
    SENT_TWICE("The producer sends the same key again under another message id", DuplicateCause.PRODUCER_DUPLICATE),
    REDRIVEN("Deletes fail until the message is a dead letter, which is then redriven", DuplicateCause.REDRIVEN),
    DELIVERED_TWICE("The service delivers it to a second worker although the first holds it",
        DuplicateCause.SERVICE_DUPLICATE);

    final String injected;
    final DuplicateCause cause;

    Question(String injected, DuplicateCause cause) {
      this.injected = injected;
      this.cause = cause;
    }
  }

  private final Rig rig;
  private final RecordingGate gate;
  private final SimulatedMachine first;
  private final SimulatedMachine second;

  private CauseQuiz(Rig rig, Consumer<RecordingGate> withheld) {
    this.rig = rig;
    this.gate = new RecordingGate(rig.timing);
    this.first = rig.timing.machine("first", Duration.ZERO);
    this.second = rig.timing.machine("second", Duration.ZERO);
    withheld.accept(gate);
    rig.queue.latency(Duration.ofMillis(20), Duration.ofMillis(20));
  }

  /**
   * What the worker that recognises the duplicate says.
   *
   * @param withheld takes facts away from the gate
   */
  static DuplicateDiagnosis answer(Question question, long seed, Consumer<RecordingGate> withheld) {
    AtomicReference<DuplicateDiagnosis> said = new AtomicReference<>();
    Rig.run(
        seed,
        rig -> {
          new CauseQuiz(rig, withheld).play(question);
          said.set(rig.trail.of(Suppressed.class).getLast().diagnosis());
        });
    return said.get();
  }

  private void play(Question question) throws InterruptedException {
    switch (question) {
      case HEARTBEAT_OFF -> takenOver(worker(first, "worker-1").heartbeat(false), () -> {});
      case NO_ANSWER_TO_BEATS -> {
        onFirst(CallKind.EXTEND, Fault.unavailable());
        takenOver(worker(first, "worker-1"), () -> {});
      }
      case NO_RIGHT_TO_EXTEND -> {
        onFirst(CallKind.EXTEND, Fault.accessDenied(CallKind.EXTEND));
        takenOver(worker(first, "worker-1"), () -> {});
      }
      case FROZEN -> takenOver(
          worker(first, "worker-1"),
          () -> {
            rig.timing.advance(Duration.ofSeconds(10));
            first.freeze(Duration.ofMinutes(1));
          });
      case OVERTIME -> takenOver(worker(first, "worker-1").maxProcessingTime(Duration.ofSeconds(10)), () -> {});
      case CLOSED -> closed();
      case KILLED -> {
        onFirst(CallKind.DELETE, Fault.killBeforeSend());
        takenOver(worker(first, "worker-1"), () -> {});
      }
      case DELETE_FAILED_HERE -> {
        rig.queue.nextCall(CallKind.DELETE, refused());
        rig.queue.send("a");
        alone();
      }
      case DELETE_FAILED_THERE -> {
        onFirst(CallKind.DELETE, Fault.unavailable());
        takenOver(worker(first, "worker-1"), () -> {});
      }
      case COMMIT_UNANSWERED -> {
        gate.unanswered = 1;
        rig.queue.send("a");
        alone();
      }
      case SENT_TWICE -> {
        rig.queue.send("a");
        QueueWorker worker = start(worker(first, "worker-1"));
        rig.awaitCount(Deleted.class, 1);
        worker.close();
        rig.queue.send("a");
        QueueWorker other = start(worker(second, "worker-2"));
        rig.awaitCount(Suppressed.class, 1);
        other.close();
      }
      case REDRIVEN -> redriven();
      case DELIVERED_TWICE -> {
        rig.queue.settings().duplicates(1);
        takenOver(worker(first, "worker-1"), () -> {});
      }
    }
  }

  private WorkerBuilder<String> worker(SimulatedMachine machine, String id) {
    return QueueWorker.of(rig.queue.connect(machine)).workerId(id).inlineListener(rig.trail).timing(machine);
  }

  private QueueWorker start(WorkerBuilder<String> worker) {
    return worker.once(gate, delivery -> delivery.body(), (delivery, nothing) -> work()).start();
  }

  /** Works for 45 s, whatever it is told. */
  private void work() {
    long until = rig.timing.nanoTime() + Duration.ofSeconds(45).toNanos();
    for (long left = until - rig.timing.nanoTime(); left > 0; left = until - rig.timing.nanoTime()) {
      try {
        rig.timing.sleep(Duration.ofNanos(left));
      } catch (InterruptedException e) {
        // This handler does not listen.
      }
    }
  }

  private void onFirst(CallKind kind, Fault fault) {
    rig.queue.onCall(kind, call -> call.machine().equals(first.name()) ? fault : Fault.none());
  }

  private static Fault refused() {
    return Fault.entries(id -> Optional.of(new EntryResult.Lost("ReceiptHandleIsInvalid")));
  }

  /** The first worker works on the message, then something happens, and the second gets it as well. */
  private void takenOver(WorkerBuilder<String> one, Runnable meanwhile) {
    rig.queue.send("a");
    QueueWorker worker = start(one);
    rig.awaitCount(HandlerStarted.class, 1);
    worker.pause();
    meanwhile.run();
    QueueWorker other = start(worker(second, "worker-2"));
    rig.timing.await("the duplicate is recognised", () -> rig.trail.count(Suppressed.class) > 0, LONG);
    other.close();
    if (!first.isKilled()) {
      worker.close();
    }
  }

  private void closed() {
    rig.queue.send("a");
    QueueWorker worker =
        start(worker(first, "worker-1").drainTimeout(Duration.ofSeconds(5)).pollWait(Duration.ofSeconds(1)));
    rig.awaitCount(HandlerStarted.class, 1);
    worker.close();
    QueueWorker other = start(worker(second, "worker-2"));
    rig.timing.await("the duplicate is recognised", () -> rig.trail.count(Suppressed.class) > 0, LONG);
    other.close();
  }

  private void alone() {
    QueueWorker worker = start(worker(first, "worker-1"));
    rig.timing.await("the duplicate is recognised", () -> rig.trail.count(Suppressed.class) > 0, LONG);
    worker.close();
  }

  private void redriven() {
    rig.queue.maxReceiveCount(2);
    rig.queue.onCall(CallKind.DELETE, call -> refused());
    rig.queue.send("a");
    QueueWorker worker = start(worker(first, "worker-1"));
    rig.timing.await(
        "it is a dead letter", () -> !rig.queue.deadLetters().isEmpty() && rig.trail.count(Committed.class) == 1, LONG);
    worker.close();
    rig.queue.onCall(CallKind.DELETE, call -> Fault.none());
    int before = rig.trail.count(Suppressed.class);
    DeadLetters.of(rig.queue.connect()).timing(rig.timing).redrive(RedriveRequest.all());
    QueueWorker other = start(worker(second, "worker-2"));
    rig.timing.await("the duplicate is recognised", () -> rig.trail.count(Suppressed.class) > before, LONG);
    other.close();
  }
}
