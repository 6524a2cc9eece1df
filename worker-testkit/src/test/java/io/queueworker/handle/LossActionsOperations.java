package io.queueworker.handle;

import io.queueworker.LossReason;
import io.queueworker.timing.Timing.ThreadPool;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;

/** What a handler's threads and whoever notices the loss do to {@link LossActions}. */
public class LossActionsOperations {

  private final AtomicIntegerArray added = new AtomicIntegerArray(4);
  private final AtomicIntegerArray ran = new AtomicIntegerArray(4);
  private final LossActions actions = new LossActions(new AtOnce(), event -> {});
  private volatile boolean lost;

  @Operation
  public void add(@Param(gen = IntGen.class) int action) {
    actions.add(reason -> ran.incrementAndGet(action));
    added.incrementAndGet(action);
  }

  @Operation
  public void lose() {
    actions.lost(LossReason.EXPIRED);
    lost = true;
  }

  /** Once the lease is lost, each action has run as often as it was added; before, none has. */
  @Validate
  public void eachActionHasRunOnce() {
    for (int action = 0; action < added.length(); action++) {
      int expected = lost ? added.get(action) : 0;
      if (ran.get(action) != expected) {
        throw new IllegalStateException("action " + action + " ran " + ran.get(action) + " times, not " + expected);
      }
    }
  }

  private static final class AtOnce implements ThreadPool {
    @Override
    public boolean execute(Runnable task) {
      task.run();
      return true;
    }

    @Override
    public void shutdown() {}
  }
}
