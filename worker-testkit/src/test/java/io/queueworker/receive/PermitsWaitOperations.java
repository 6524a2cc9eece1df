package io.queueworker.receive;

import io.queueworker.interleaving.StillTiming;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;

/** Receives that wait for two {@link Permits}, use them and give them back: all of them end if every signal arrives. */
public class PermitsWaitOperations {

  private static final int TOTAL = 2;

  private final Permits permits = new Permits(StillTiming.waiting(), TOTAL);
  private final AtomicInteger inUse = new AtomicInteger();

  /** Whether there was room for what was taken. */
  @Operation
  public boolean use(@Param(gen = IntGen.class) int most) {
    return use(most, 0);
  }

  /** The same with a linger, which passes while it waits for the rest. */
  @Operation
  public boolean useAfterLinger(@Param(gen = IntGen.class) int most) {
    return use(most, 1_000);
  }

  private boolean use(int most, long linger) {
    int taken = permits.acquire(most, linger);
    boolean room = inUse.addAndGet(taken) <= TOTAL;
    inUse.addAndGet(-taken);
    permits.release(taken);
    return room;
  }

  /** Ends waiting, for good. */
  @Operation
  public void close() {
    permits.close();
  }
}
