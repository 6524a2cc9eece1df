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
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** A simulated queue under the contract, in virtual time. Not thread-safe, as simulated threads need not be. */
final class SimulatedSubject implements QueueSubject {

  private static final long SEED = 1;
  private static final Duration STEP = Duration.ofMillis(10);
  private static final int MOST_STEPS = 6_000;

  private final SimulatedTiming timing;
  private final SimulatedQueue queue;
  private final UnaryOperator<MessageQueue> through;

  private SimulatedSubject(SimulatedTiming timing, SimulatedQueue queue, UnaryOperator<MessageQueue> through) {
    this.timing = timing;
    this.queue = queue;
    this.through = through;
  }

  /** Runs a test in a simulation of its own. */
  static void on(Function<SimulatedTiming, SimulatedQueue> kind, SubjectSettings settings, QueueTest test) {
    on(kind, UnaryOperator.identity(), settings, test);
  }

  /** Runs a test on a queue that consumers reach through something else. */
  static void on(Function<SimulatedTiming, SimulatedQueue> kind, UnaryOperator<MessageQueue> through,
      SubjectSettings settings, QueueTest test) {
    SimulatedTiming.run(
        SEED,
        timing -> {
          SimulatedQueue queue = kind.apply(timing).visibility(settings.visibility());
          queue.latency(Duration.ZERO, Duration.ZERO);
          settings.maxReceiveCount().ifPresent(queue::maxReceiveCount);
          test.on(new SimulatedSubject(timing, queue, through));
        });
  }

  @Override
  public MessageQueue connect() {
    return through.apply(queue.connect());
  }

  @Override
  public MessageQueue connectDeadLetters() {
    throw new UnsupportedOperationException("the simulated queue has none");
  }

  @Override
  public String send(String body) {
    return queue.send(body);
  }

  @Override
  public String send(String body, String group) {
    return queue.send(NewMessage.of(body).inGroup(group)).id();
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
