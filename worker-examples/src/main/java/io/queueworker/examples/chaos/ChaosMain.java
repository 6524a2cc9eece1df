package io.queueworker.examples.chaos;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Workers that are killed and frozen while they work: each task has its effect exactly once, and nothing is left.
 *
 * <p>The queue is one process, PostgreSQL another, each worker one more. While messages come, this program kills workers with
 * SIGKILL and stops them with SIGSTOP until their leases have run out, at random moments and right after steps that they
 * report, such as a commit; it starts a new worker for each that it killed. Then it lets the queue drain, ends the workers
 * and counts: effects and keys in the database, messages on the queue.
 *
 * <p>Run it with {@code mvn -q compile exec:exec@chaos}; {@link ChaosOptions} says what can be chosen, such as {@code
 * -Dkills=200 -Dfreezes=100}. It ends with one line of JSON for each queue. The exit code is 1 when a task had no effect or
 * two, when anything is left, or when fewer kills and freezes happened than asked for. With {@code -Dcontrol=gate-off} or
 * {@code -Dcontrol=delete-first} the workers are wrong on purpose, and it has to be 1.
 *
 * <p>It needs a Unix: SIGSTOP comes from the shell's {@code kill}.
 */
public final class ChaosMain {

  private ChaosMain() {}

  /** Ends with the exit code. */
  public static void main(String[] args) throws Exception {
    ChaosOptions options = ChaosOptions.read();
    boolean clean = true;
    for (ChaosOptions round : options.rounds()) {
      Path log = Files.createTempFile(logDirectory(), "chaos-" + round.queue() + "-", ".log");
      ChaosResult result = new ChaosRun(round, new ChildJvm(log)).run();
      System.out.println(result.toJson());
      if (result.isClean()) {
        Files.delete(log);
      } else {
        System.err.println("The workers' log is " + log);
      }
      clean &= result.isClean();
    }
    System.exit(clean ? 0 : 1);
  }

  /** Where the workers' log is kept while they run, and longer if need be: {@code -Dlog}, else the temporary directory. */
  private static Path logDirectory() {
    String directory = System.getProperty("log", "").strip();
    return Path.of(directory.isEmpty() ? System.getProperty("java.io.tmpdir") : directory);
  }
}
