package io.queueworker.receive;

import io.queueworker.interleaving.SharedSettler;
import io.queueworker.interleaving.StillTiming;
import java.time.Duration;
import org.jetbrains.lincheck.datastructures.Operation;

/**
 * A receive that needs the permit of a message whose delete waits for others for ever: it gets it only if the settler hears,
 * in every order, that permits are short.
 */
public class HurryOperations {

  private final StillTiming timing = StillTiming.waiting();
  private final Permits permits = new Permits(timing, 1);
  private final SharedSettler shared = new SharedSettler(timing, Duration.ofDays(365), permits::areShort);

  /** The one permit is taken. */
  public HurryOperations() {
    permits.acquire(1, 0);
    permits.onShort(shared.settler()::hurry);
    shared.settler().start();
  }

  /** Deletes the message that has the permit. */
  @Operation
  public void delete() {
    shared.delete(0, () -> permits.release(1));
  }

  /** Is a thread of the control pool. */
  @Operation
  public void work() throws InterruptedException {
    timing.work();
  }

  /** Waits for the permit; ends the pool. */
  @Operation
  public void receive() {
    permits.acquire(1, 0);
    shared.settler().stop();
    timing.endPools(2);
  }
}
