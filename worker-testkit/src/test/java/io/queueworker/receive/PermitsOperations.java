package io.queueworker.receive;

import io.queueworker.interleaving.StillTiming;
import io.queueworker.interleaving.StillTiming.WouldWait;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;

/** Taking and giving back of three {@link Permits}, of which two are taken, without waiting. */
public class PermitsOperations {

  private final Permits permits = new Permits(StillTiming.neverWaiting(), 3);

  /** Two are in use at first. */
  public PermitsOperations() {
    permits.acquire(2, 0);
  }

  /** How many a receive got; -1 when it would have to wait. */
  @Operation
  public int take(@Param(gen = IntGen.class) int most) {
    try {
      return permits.acquire(most, 0);
    } catch (WouldWait e) {
      return -1;
    }
  }

  @Operation
  public void giveBack() {
    permits.release(1);
  }

  @Operation
  public int used() {
    return permits.used();
  }

  @Operation
  public int free() {
    return permits.free();
  }

  @Operation
  public void close() {
    permits.close();
  }

  /** Nobody is counted as waiting any more, and no permit was made or lost. */
  @Validate
  public void countsAddUp() {
    if (permits.areShort()) {
      throw new IllegalStateException("a receive that has ended is counted as waiting");
    }
    if (permits.free() < 0 || permits.free() > 3 || permits.used() + permits.free() != 3) {
      throw new IllegalStateException(permits.free() + " of 3 are free, " + permits.used() + " used");
    }
  }
}
