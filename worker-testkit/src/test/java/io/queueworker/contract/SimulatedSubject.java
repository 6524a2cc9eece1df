package io.queueworker.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.queue.MessageQueue;
import io.queueworker.testkit.QueueCounts;
import io.queueworker.testkit.contract.QueueSubject;
import io.queueworker.testkit.contract.QueueTest;
import io.queueworker.testkit.contract.SubjectSettings;
import io.queueworker.testkit.engine.NewMessage;
import io.queueworker.testkit.simulation.SimulatedQueue;
import io.queueworker.testkit.simulation.SimulatedTiming;
import io.queueworker.timing.Timing.ThreadKind;
import java.time.Duration;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/** A simulated queue under the contract, in virtual time. Not thread-safe, as simulated threads need not be. */
final class SimulatedSubject implements QueueSubject {

  private static final long SEED = 1;
  private static final Duration STEP = Duration.ofMillis(10);
  private static final int MOST_STEPS = 6_000;

  private final SimulatedTiming timing;
  private final SimulatedQueue queue;
  private final SimulatedQueue deadLetters;
  private final UnaryOperator<MessageQueue> through;
  private int sent;

  private SimulatedSubject(
      SimulatedTiming timing, SimulatedQueue queue, SimulatedQueue deadLetters, UnaryOperator<MessageQueue> through) {
    this.timing = timing;
    this.queue = queue;
    this.deadLetters = deadLetters;
    this.through = through;
  }

  /** Makes a queue in a simulation, by its name without the suffix of a FIFO queue. */
  interface Kind extends BiFunction<SimulatedTiming, String, SimulatedQueue> {}

  /** Runs a test in a simulation of its own. */
  static void on(Kind kind, SubjectSettings settings, QueueTest test) {
    on(kind, UnaryOperator.identity(), settings, test);
  }

  /** Runs a test on a queue that consumers reach through something else. */
  static void on(Kind kind, UnaryOperator<MessageQueue> through, SubjectSettings settings, QueueTest test) {
    SimulatedTiming.run(
        SEED,
        timing -> {
          SimulatedQueue queue = instant(kind.apply(timing, "orders")).visibility(settings.visibility());
          SimulatedQueue deadLetters = instant(kind.apply(timing, "orders-dead"));
          settings.maxReceiveCount().ifPresent(receives -> queue.redrive(receives, deadLetters));
          settings.retention().ifPresent(queue.settings()::retention);
          test.on(new SimulatedSubject(timing, queue, deadLetters, through));
        });
  }

  private static SimulatedQueue instant(SimulatedQueue queue) {
    return queue.latency(Duration.ZERO, Duration.ZERO);
  }

  @Override
  public MessageQueue connect() {
    return through.apply(queue.connect());
  }

  @Override
  public MessageQueue connectDeadLetters() {
    return deadLetters.connect();
  }

  @Override
  public String send(String body) {
    return isFifo() ? send(body, "group-" + ++sent) : queue.send(body);
  }

  @Override
  public String send(String body, String group) {
    return isFifo()
        ? sendOnce(body, group, "message-" + ++sent)
        : queue.send(NewMessage.of(body).inGroup(group)).id();
  }

  @Override
  public String sendOnce(String body, String group, String deduplicationId) {
    return queue.send(body, group, deduplicationId);
  }

  private boolean isFifo() {
    return queue.connect().traits().fifo();
  }

  @Override
  public QueueCounts counts() {
    return new QueueCounts(queue.visible().size(), queue.inFlight().size(), 0);
  }

  @Override
  public void awaitVisible(int messages) {
    for (int steps = 0; counts().visible() < messages; steps++) {
      assertThat(steps).as("steps of 10 ms until %s messages are visible", messages).isLessThan(MOST_STEPS);
      timing.advance(STEP);
    }
  }

  @Override
  public void meanwhile(Runnable work) {
    timing.start(ThreadKind.VIRTUAL, "meanwhile", work);
  }

  @Override
  public void pass(Duration time) {
    timing.advance(time);
  }
}
