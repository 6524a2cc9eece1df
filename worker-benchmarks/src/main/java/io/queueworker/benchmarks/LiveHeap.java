package io.queueworker.benchmarks;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * What lives in the heap of this process after a full collection. Immutable.
 *
 * @param bytes all of it
 * @param stacks the stacks of virtual threads that wait
 */
record LiveHeap(long bytes, long stacks) {

  private static final String STACK = "jdk.internal.vm.StackChunk";

  /** Now. */
  static LiveHeap now() throws JMException {
    System.gc();
    long bytes = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    Object histogram =
        ManagementFactory.getPlatformMBeanServer()
            .invoke(
                new ObjectName("com.sun.management:type=DiagnosticCommand"),
                "gcClassHistogram",
                new Object[]{new String[0]},
                new String[]{String[].class.getName()});
    // "   1:   71088   243987208  jdk.internal.vm.StackChunk (java.base@25)"
    long stacks =
        String.valueOf(histogram)
            .lines()
            .filter(line -> line.contains(STACK))
            .mapToLong(line -> Long.parseLong(line.strip().split("\\s+", -1)[2]))
            .sum();
    return new LiveHeap(bytes, stacks);
  }

  /** What has come since. */
  LiveHeap since(LiveHeap earlier) {
    return new LiveHeap(bytes - earlier.bytes, stacks - earlier.stacks);
  }
}
