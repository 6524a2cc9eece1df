package io.queueworker.examples;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The worker JVMs of an example, in the order of their starts. Closing it ends them cleanly. For one thread.
 */
final class Fleet implements AutoCloseable {

  private static final int EXIT_CODE_OF_SIGKILL = 128 + 9;
  private static final long LONGEST_CLOSE_SECONDS = 40; // a worker's drain budget is 25 s

  private final Class<?> main;
  private final List<String> arguments;
  private final List<Process> workers = new ArrayList<>();

  /** Workers of one program, which takes its worker's name and then these arguments. */
  Fleet(Class<?> main, String... arguments) {
    this.main = main;
    this.arguments = List.of(arguments);
  }

  /** Starts a worker with this JVM's Java and class path, and more arguments if given. */
  Process start(String worker, String... more) throws IOException {
    List<String> command = new ArrayList<>(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1", // quick to start
            "-Daws.region=eu-west-1", // any region and credentials do for ElasticMQ
            "-Daws.accessKeyId=none",
            "-Daws.secretAccessKey=none",
            "-classpath",
            System.getProperty("java.class.path"),
            main.getName(),
            worker));
    command.addAll(arguments);
    command.addAll(List.of(more));
    Process process =
        new ProcessBuilder(command).redirectOutput(Redirect.DISCARD).redirectError(Redirect.INHERIT).start();
    workers.add(process);
    return process;
  }

  /** How many workers ended by SIGKILL, by what the operating system says. */
  int kills() {
    return (int) workers.stream().filter(Fleet::wasKilled).count();
  }

  /** Whether a worker ended that nobody killed. */
  boolean hasFailed() {
    return workers.stream().anyMatch(worker -> !worker.isAlive() && !wasKilled(worker));
  }

  private static boolean wasKilled(Process worker) {
    return !worker.isAlive() && worker.exitValue() == EXIT_CODE_OF_SIGKILL;
  }

  /** Ends the workers that are left with SIGTERM and waits until they are closed. Twice is no error. */
  @Override
  public void close() throws InterruptedException {
    // Not Process.destroy(): it also closes the worker's standard input, which says that this process died.
    workers.forEach(worker -> worker.toHandle().destroy());
    for (Process worker : workers) {
      if (!worker.waitFor(LONGEST_CLOSE_SECONDS, TimeUnit.SECONDS)) {
        worker.destroyForcibly().waitFor(); // shows as one kill too many
      }
    }
  }
}
