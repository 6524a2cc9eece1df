package io.queueworker.observe;

import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;

/** What runs that end and a report do to a {@link DurationHistogram}. Window 6 takes the place of window 0. */
public class HistogramOperations {

  private static final long TEN_MINUTES = 600_000_000_000L;
  private static final long SECOND = 1_000_000_000L;

  private final DurationHistogram histogram = new DurationHistogram(0);

  @Operation
  public void committed(@Param(gen = IntGen.class) int window) {
    histogram.record(SECOND, window * TEN_MINUTES);
  }

  @Operation
  public void cutOff(@Param(gen = IntGen.class) int window) {
    histogram.cutOff(SECOND, window * TEN_MINUTES);
  }

  @Operation
  public void failed(@Param(gen = IntGen.class) int window) {
    histogram.failed(window * TEN_MINUTES);
  }

  @Operation
  public String report(@Param(gen = IntGen.class) int window) {
    Durations durations = histogram.snapshot(window * TEN_MINUTES);
    return durations.count() + " committed, " + durations.cutOff() + " cut off, " + durations.failed() + " failed";
  }
}
