package io.queueworker.interleaving;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;

/**
 * What handlers, the two threads of the control pool and the closing worker do to the settler, whose batch of deletes they
 * share. A delete waits for others for ever unless a call is full: every signal is needed.
 */
public class SettlerOperations {

  private final StillTiming timing = StillTiming.waiting();
  private final SharedSettler shared = new SharedSettler(timing, Duration.ofDays(365), () -> false);

  private final AtomicInteger deletes = new AtomicInteger();
  private final List<String> left = new CopyOnWriteArrayList<>();

  /** The watch is the pool's first task. */
  public SettlerOperations() {
    shared.settler().start();
  }

  @Operation
  public void delete(@Param(gen = IntGen.class) int message) {
    shared.delete(message, () -> {});
    deletes.incrementAndGet();
  }

  /** Is a thread of the pool: keeps watch, or sends. */
  @Operation
  public void work() throws InterruptedException {
    timing.work();
  }

  /** Waits until all is answered; ends the pool. */
  @Operation
  public void flush() throws InterruptedException {
    left.addAll(shared.settler().flush(Duration.ofDays(365).toNanos()));
    shared.settler().stop();
    timing.endPools(2);
  }

  /** Each was deleted once, and its permit came back once. */
  @Validate
  public void everythingIsDeletedOnce() {
    if (!left.isEmpty() || !shared.eachOnce(deletes.get())) {
      throw new IllegalStateException("left " + left + ", " + shared);
    }
  }
}
