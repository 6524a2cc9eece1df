package io.queueworker.spec;

import io.queueworker.Delivery;
import io.queueworker.FailureAction;
import io.queueworker.KeyFunction;
import io.queueworker.MessageHandler;
import io.queueworker.QueueWorker;
import io.queueworker.WorkerBuilder;
import io.queueworker.observe.WorkerEvent.LeaseLost;
import io.queueworker.observe.WorkerEvent.Received;
import io.queueworker.spec.Specs.MemoryGate;
import io.queueworker.testkit.Trail;
import io.queueworker.testkit.simulation.SimulatedQueue;
import io.queueworker.testkit.simulation.SimulatedTiming;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * Scenes on a FIFO queue that are also played with a worker whose guard was taken out: each gives back the order in which
 * handlers started, as words. Not thread-safe, as simulations are.
 */
final class FifoScenes {

  private FifoScenes() {}

  /** One simulated FIFO queue with a dead-letter queue, and the order of its handlers. */
  static final class Scene {
    final SimulatedTiming timing;
    final SimulatedQueue dead;
    final SimulatedQueue queue;
    final Trail trail;

    /** The bodies whose handlers started, in order. */
    final List<String> starts = new ArrayList<>();

    private final int receives;

    Scene(SimulatedTiming timing, int receives) {
      this.timing = timing;
      this.receives = receives;
      this.dead = SimulatedQueue.fifo(timing, "dead.fifo");
      this.queue =
          SimulatedQueue.fifo(timing, "orders.fifo")
              .visibility(Duration.ofSeconds(30))
              .redrive(receives, dead);
      this.trail = Trail.in(timing);
    }

    /** Sends bodies to one group. */
    List<String> send(String group, String... bodies) {
      List<String> ids = new ArrayList<>();
      for (String body : bodies) {
        ids.add(queue.send(body, group, body));
      }
      return ids;
    }

    /** A worker without a gate. */
    WorkerBuilder<String> worker(MessageHandler<String> handler) {
      return timed(QueueWorker.of(queue.connect()).handler(delivery -> {
        starts.add(delivery.body());
        handler.handle(delivery);
      }));
    }

    /** A worker behind a gate in memory. */
    WorkerBuilder<String> worker(MemoryGate gate, MessageHandler<String> handler) {
      return timed(QueueWorker.of(queue.connect()).once(gate, KeyFunction.messageId(), (delivery, words) -> {
        starts.add(delivery.body());
        handler.handle(delivery);
      }));
    }

    private WorkerBuilder<String> timed(WorkerBuilder<String> builder) {
      return builder
          .failurePolicy(failure -> FailureAction.retryAfter(Duration.ofSeconds(5)))
          .inlineListener(trail)
          .timing(timing);
    }

    /** Waits until nothing is on the queue, closes the worker, and gives back who started. */
    String finish(QueueWorker worker) {
      timing.await("the queue is empty", queue::isEmpty, Duration.ofHours(2));
      worker.close();
      return String.join(" ", starts);
    }

    @Override
    public String toString() {
      return "a scene with " + receives + " receives";
    }
  }

  /** S50: the head fails twice. */
  public static final class FailsTwice implements Callable<String> {
    @Override
    public String call() throws Exception {
      String[] order = new String[1];
      SimulatedTiming.run(
          1,
          timing -> {
            Scene scene = new Scene(timing, 5);
            scene.send("g", "A", "B", "C");
            QueueWorker worker =
                scene.worker(
                    delivery -> {
                      if (delivery.body().equals("A") && scene.starts.stream().filter("A"::equals).count() < 3) {
                        throw new IllegalStateException("not yet");
                      }
                    })
                    .start();
            order[0] = scene.finish(worker);
          });
      return order[0];
    }
  }

  /** S53: the head loses its lease while its handler goes on. */
  public static final class HeadIsLost implements Callable<String> {
    @Override
    public String call() throws Exception {
      String[] order = new String[1];
      SimulatedTiming.run(
          1,
          timing -> {
            Scene scene = new Scene(timing, 5);
            scene.send("g", "A", "B", "C");
            QueueWorker worker =
                scene.worker(
                    delivery -> {
                      if (delivery.body().equals("A") && delivery.receiveCount() == 1) {
                        timing.sleep(Duration.ofSeconds(40));
                        throw new IllegalStateException("lost");
                      }
                    })
                    .keepAliveWhile(delivery -> !delivery.body().equals("A") || delivery.receiveCount() > 1)
                    .start();
            timing.await("the loss", () -> scene.trail.count(LeaseLost.class) == 1, Duration.ofMinutes(2));
            order[0] = scene.finish(worker);
          });
      return order[0];
    }
  }

  /** A head that fails for longer than it may be held, so that its slice is given up. */
  public static final class SliceIsGivenUp implements Callable<String> {
    @Override
    public String call() throws Exception {
      String[] order = new String[1];
      SimulatedTiming.run(
          1,
          timing -> {
            Scene scene = new Scene(timing, 5);
            scene.send("g", "A", "B", "C");
            QueueWorker worker =
                scene.worker(
                    delivery -> {
                      if (delivery.body().equals("A") && delivery.receiveCount() == 1) {
                        throw new IllegalStateException("not yet");
                      }
                    })
                    .failurePolicy(failure -> FailureAction.retryAfter(Duration.ofMinutes(3)))
                    .maxProcessingTime(Duration.ofMinutes(10))
                    .maxHold(Duration.ofMinutes(12))
                    .start();
            order[0] = scene.finish(worker);
          });
      return order[0];
    }
  }

  /** A handler that never takes the body "P". */
  static void poison(Delivery<String> delivery) {
    if (delivery.body().equals("P")) {
      throw new IllegalStateException("poison");
    }
  }

  /** A head that always fails, and nine behind it. */
  public static final class PoisonHead implements Callable<String> {
    @Override
    public String call() throws Exception {
      int[] receives = new int[1];
      SimulatedTiming.run(
          1,
          timing -> {
            Scene scene = new Scene(timing, 3);
            scene.send("g", "P", "1", "2", "3", "4", "5", "6", "7", "8", "9");
            QueueWorker worker = scene.worker(FifoScenes::poison).start();
            timing.await("the queue is empty", scene.queue::isEmpty, Duration.ofHours(2));
            receives[0] = scene.trail.count(Received.class);
            worker.close();
          });
      return receives[0] + " receives";
    }
  }
}
