package io.queueworker.spec;

import io.queueworker.QueueWorker;
import io.queueworker.observe.WorkerEvent.HandlerStarted;
import io.queueworker.observe.WorkerEvent.Received;
import java.time.Duration;
import java.util.concurrent.Callable;

/**
 * A worker with ten handlers a second and two hundred messages on its queue, also of a patched core: how many messages it
 * had waiting at once. Stateless.
 */
public final class RatedRun implements Callable<Integer> {

  @Override
  public Integer call() {
    int[] most = new int[1];
    Rig.run(
        1,
        rig -> {
          rig.send(200);
          QueueWorker worker =
              rig.worker()
                  .rateLimiter(RateTest.limiter(rig.timing, 10, Duration.ofSeconds(1)))
                  .handler(delivery -> {})
                  .start();
          rig.awaitEmpty();
          most[0] = mostWaiting(rig);
          worker.close();
          rig.checkRules();
        });
    return most[0];
  }

  /** How many messages had been received and not started, at most. */
  static int mostWaiting(Rig rig) {
    int waiting = 0;
    int most = 0;
    for (var entry : rig.trail.entries()) {
      waiting += entry.event() instanceof Received ? 1 : entry.event() instanceof HandlerStarted ? -1 : 0;
      most = Math.max(most, waiting);
    }
    return most;
  }
}
