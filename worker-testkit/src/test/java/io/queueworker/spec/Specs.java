package io.queueworker.spec;

import io.queueworker.gate.Admission;
import io.queueworker.gate.Attempt;
import io.queueworker.gate.AttemptInfo;
import io.queueworker.gate.GateKey;
import io.queueworker.gate.IdempotencyGate;
import io.queueworker.observe.WorkerEvent;
import io.queueworker.queue.EntryResult;
import io.queueworker.queue.MessageQueue;
import io.queueworker.queue.OutgoingMessage;
import io.queueworker.queue.QueueAttributes;
import io.queueworker.queue.QueueTraits;
import io.queueworker.queue.Receipt;
import io.queueworker.queue.ReceiveRequest;
import io.queueworker.queue.ReceivedMessage;
import io.queueworker.queue.SendResult;
import io.queueworker.queue.VisibilityChange;
import io.queueworker.testkit.Trail;
import io.queueworker.testkit.simulation.CallKind;
import io.queueworker.testkit.simulation.SimulatedCall;
import io.queueworker.testkit.simulation.SimulatedQueue;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the specs share. Nothing here is thread-safe: simulated threads run one at a time. */
final class Specs {

  private Specs() {}

  /** A spec that is run over a handful of seeds: five, or as many as the system property {@code spec.seeds} says. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("io.queueworker.spec.Specs#seeds")
  @Retention(RetentionPolicy.RUNTIME)
  @Target(ElementType.METHOD)
  @interface Seeds {}

  /** The seeds that a spec is run over, from one. */
  static LongStream seeds() {
    return LongStream.rangeClosed(1, Long.getLong("spec.seeds", 5));
  }

  /** The kinds of events about one message, in order, without those of its beats. */
  static List<String> steps(Trail trail, String messageId) {
    return trail.of(messageId).stream()
        .filter(
            event -> !(event instanceof WorkerEvent.ExtendSent)
                && !(event instanceof WorkerEvent.Extended)
                && !(event instanceof WorkerEvent.ExtendFailed))
        .map(event -> event.getClass().getSimpleName())
        .toList();
  }

  /** The calls of one kind that have this message in them. */
  static List<SimulatedCall> calls(SimulatedQueue queue, CallKind kind, String messageId) {
    return queue.calls(kind).stream().filter(call -> call.messageIds().contains(messageId)).toList();
  }

  /** The visibility timeouts that calls of one kind asked for, for one message. */
  static List<Duration> visibilities(SimulatedQueue queue, CallKind kind, String messageId) {
    return queue.calls(kind).stream()
        .flatMap(call -> call.entries().stream())
        .filter(entry -> entry.messageId().equals(messageId))
        .map(SimulatedCall.Entry::visibility)
        .toList();
  }

  /** A connection with other traits or settings, which notices two visibility calls about one message at once. */
  static final class Connection implements MessageQueue {

    final List<String> overlaps = new ArrayList<>();
    UnaryOperator<QueueAttributes> attributes = UnaryOperator.identity();
    private final MessageQueue queue;
    private final boolean fifo;
    private final Set<Receipt> underWay = new HashSet<>();

    Connection(MessageQueue queue, boolean fifo) {
      this.queue = queue;
      this.fifo = fifo;
    }

    @Override
    public String name() {
      return queue.name();
    }

    @Override
    public QueueTraits traits() {
      QueueTraits t = queue.traits();
      return new QueueTraits(
          t.maxBatch(),
          t.maxWait(),
          t.smallestDelay(),
          t.largestVisibility(),
          t.totalCap(),
          t.receiveVisibility(),
          t.receiptChangesOnExtend(),
          t.batchExtend(),
          t.reportsLeaseLoss(),
          fifo);
    }

    @Override
    public QueueAttributes attributes() {
      return attributes.apply(queue.attributes());
    }

    @Override
    public List<ReceivedMessage> receive(ReceiveRequest request) {
      return queue.receive(request);
    }

    @Override
    public List<EntryResult> extend(List<VisibilityChange> batch, Duration timeout) {
      List<Receipt> receipts = begin("extend", batch.stream().map(VisibilityChange::receipt).toList());
      try {
        return queue.extend(batch, timeout);
      } finally {
        receipts.forEach(underWay::remove);
      }
    }

    @Override
    public List<EntryResult> release(List<VisibilityChange> batch, Duration timeout) {
      List<Receipt> receipts = begin("release", batch.stream().map(VisibilityChange::receipt).toList());
      try {
        return queue.release(batch, timeout);
      } finally {
        receipts.forEach(underWay::remove);
      }
    }

    @Override
    public List<EntryResult> delete(List<Receipt> batch, Duration timeout) {
      if (!traits().receiptChangesOnExtend()) {
        return queue.delete(batch, timeout);
      }
      List<Receipt> receipts = begin("delete", batch);
      try {
        return queue.delete(batch, timeout);
      } finally {
        receipts.forEach(underWay::remove);
      }
    }

    private List<Receipt> begin(String what, List<Receipt> receipts) {
      for (Receipt receipt : receipts) {
        if (!underWay.add(receipt)) {
          overlaps.add(what + " beside another call about the same message");
        }
      }
      return receipts;
    }

    @Override
    public SendResult send(OutgoingMessage message, Duration timeout) {
      return queue.send(message, timeout);
    }

    @Override
    public Optional<MessageQueue> deadLetters() {
      return queue.deadLetters();
    }

    @Override
    public void close() {
      queue.close();
    }
  }

  /** A gate in memory, for workers of one simulation. Its effects are words that commit together with their key. */
  static final class MemoryGate implements IdempotencyGate<List<String>> {

    /** The committed effects. */
    final List<String> effects = new ArrayList<>();

    int rollbacks;

    /** What happens first in every admission. */
    Runnable beforeAdmission = () -> {};

    /** How many admissions ended with the thread's interrupt flag set. */
    int interrupts;

    /** How many admissions are yet to be answered with "in progress". */
    int inProgress;

    private final boolean transactional;
    private final Set<GateKey> completed = new HashSet<>();
    private final Set<GateKey> busy = new HashSet<>();

    MemoryGate(boolean transactional) {
      this.transactional = transactional;
    }

    @Override
    public void open() {}

    @Override
    public boolean transactional() {
      return transactional;
    }

    @Override
    public Admission<List<String>> admit(GateKey key, AttemptInfo info) {
      beforeAdmission.run();
      interrupts += Thread.currentThread().isInterrupted() ? 1 : 0;
      if (completed.contains(key)) {
        return new Admission.AlreadyDone<>(Optional.empty());
      }
      if (inProgress > 0 || !busy.add(key)) {
        inProgress = Math.max(0, inProgress - 1);
        return new Admission.InProgress<>();
      }
      return new Admission.Fresh<>(new MemoryAttempt(key));
    }

    /** One run's hold on a key. */
    private final class MemoryAttempt implements Attempt<List<String>> {
      private final GateKey key;
      private final List<String> words = new ArrayList<>();

      MemoryAttempt(GateKey key) {
        this.key = key;
      }

      @Override
      public List<String> effects() {
        return words;
      }

      @Override
      public Optional<Outcome> verdict() {
        return Optional.empty();
      }

      @Override
      public Outcome commit() {
        busy.remove(key);
        completed.add(key);
        effects.addAll(words);
        return new Outcome.Committed();
      }

      @Override
      public boolean rollback() {
        busy.remove(key);
        rollbacks++;
        return false;
      }
    }
  }
}
