package io.queueworker.receive;

import io.queueworker.timing.SystemTiming;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What permits cost for the ten messages of a receive. One thread. */
@State(Scope.Benchmark)
public class PermitsBench {

  private static final int BATCH = 10;

  private final Permits permits = new Permits(SystemTiming.instance(), 64);

  /** Takes ten at once, and gives back one by one. */
  @Benchmark
  public void tenMessages() {
    int taken = permits.acquire(BATCH, 0);
    for (int i = 0; i < taken; i++) {
      permits.permit().giveBack();
    }
  }
}
