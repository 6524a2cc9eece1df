package io.queueworker.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What this process has used until a moment. CPU time is the process's: handlers, compiler, collector and all. Allocated bytes
 * are those of all platform threads together, ended ones too: a virtual thread allocates in its carrier's name, so that the
 * sum covers it, where a count for each thread by its id would not. Immutable.
 *
 * @param nanos the moment
 * @param cpuNanos CPU time
 * @param allocated bytes
 */
record Usage(long nanos, long cpuNanos, long allocated) {

  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private static final ThreadMXBean THREADS = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);

  private static final int CHECK_THREADS = 200;
  private static final int CHECK_ARRAYS = 100;
  private static final int CHECK_BYTES = 4_096;
  private static final double TOLERANCE = 0.05;

  /** Keeps what the check allocates from being optimised away. */
  @SuppressWarnings("UnusedVariable") private static volatile byte[] sink = new byte[0];

  /** Until now. */
  static Usage now() {
    return new Usage(System.nanoTime(), SYSTEM.getProcessCpuTime(), THREADS.getTotalThreadAllocatedBytes());
  }

  /** Milliseconds of CPU time since an earlier moment. */
  double cpuMillisSince(Usage earlier) {
    return (cpuNanos - earlier.cpuNanos) / 1e6;
  }

  /** Bytes allocated since an earlier moment. */
  double allocatedSince(Usage earlier) {
    return allocated - earlier.allocated;
  }

  /**
   * Allocates a known number of bytes on virtual threads, and as many on platform threads, and compares with what is counted.
   *
   * @return what is wrong with the count; empty when it is right to five percent
   */
  static Optional<String> checkAllocation() throws InterruptedException {
    for (Thread.Builder kind : List.of(Thread.ofPlatform(), Thread.ofVirtual())) {
      allocate(kind); // so that classes and stacks exist
      Usage before = now();
      allocate(kind);
      double counted = now().allocatedSince(before);
      double known = (double) CHECK_THREADS * CHECK_ARRAYS * (CHECK_BYTES + 16);
      if (Math.abs(counted / known - 1) > TOLERANCE) {
        return Optional.of(
            "allocated bytes are not counted right: " + (long) counted + " for " + (long) known + " on "
                + kind.unstarted(() -> {}));
      }
    }
    return Optional.empty();
  }

  private static void allocate(Thread.Builder kind) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < CHECK_THREADS; i++) {
      threads.add(
          kind.start(
              () -> {
                for (int array = 0; array < CHECK_ARRAYS; array++) {
                  sink = new byte[CHECK_BYTES];
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }
}
