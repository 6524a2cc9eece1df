package io.queueworker.settle;

import io.queueworker.gate.LeaseStory;
import java.time.Duration;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;

/** What is called on {@link Completed} by handlers that commit and by deliveries that ask. */
public class CompletedOperations {

  private final Completed completed = new Completed(2);

  @Operation
  public void add(@Param(gen = IntGen.class) int id) {
    completed.add("m" + id, new Remembered(1, Duration.ZERO, LeaseStory.UNKNOWN, 0));
  }

  @Operation
  public boolean contains(@Param(gen = IntGen.class) int id) {
    return completed.recall("m" + id).isPresent();
  }
}
