package io.queueworker.testkit.simulation;

import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The text that says which simulated threads wait where. */
final class Standstill {

  private static final int FRAMES = 12;
  private static final String OWN = SimThread.class.getPackageName() + ".";

  private Standstill() {}

  /** One thread, or nothing. */
  static String of(@Nullable SimThread thread) {
    return thread == null ? "" : of(List.of(thread));
  }

  /** A block for each thread, with the frames that are not the simulation's own. */
  static String of(Collection<SimThread> threads) {
    StringBuilder text = new StringBuilder();
    for (SimThread thread : threads) {
      text.append("\n  ").append(thread.name()).append(" (").append(thread.machine.name()).append(") ")
          .append(thread.state);
      int shown = 0;
      for (StackTraceElement frame : thread.carrier().getStackTrace()) {
        if (shown < FRAMES && isTelling(frame)) {
          text.append("\n    at ").append(frame);
          shown++;
        }
      }
    }
    return text.toString();
  }

  private static boolean isTelling(StackTraceElement frame) {
    String name = frame.getClassName();
    return !name.startsWith("java.lang.") && !name.startsWith("java.util.concurrent.locks.") && !isOwn(name);
  }

  private static boolean isOwn(String name) {
    return name.startsWith(OWN) && !name.endsWith("Test") && !name.contains("Test$");
  }
}
