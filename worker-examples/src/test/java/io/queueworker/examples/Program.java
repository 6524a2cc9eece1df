package io.queueworker.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** An example in a JVM of its own, as a user runs it. For one thread. */
final class Program implements AutoCloseable {

  private static final long LONGEST_RUN_NANOS = TimeUnit.MINUTES.toNanos(10);

  private final Process process;
  private final Path output;
  private final Set<ProcessHandle> children = new LinkedHashSet<>();

  private Program(Process process, Path output) {
    this.process = process;
    this.output = output;
  }

  /** Starts a program with system properties such as {@code db=h2}; its standard output goes to a file. */
  static Program start(Path directory, Class<?> main, String... properties) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String property : properties) {
      command.add("-D" + property);
    }
    command.addAll(List.of("-classpath", System.getProperty("java.class.path"), main.getName()));
    Path output = directory.resolve("out");
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(output.toFile())
            .redirectError(directory.resolve("err").toFile())
            .start();
    return new Program(process, output);
  }

  /** Waits until it has this many child processes at once. */
  void awaitChildren(int count) throws InterruptedException {
    long start = System.nanoTime();
    while (process.children().count() < count) {
      assertThat(process.isAlive() && System.nanoTime() - start < LONGEST_RUN_NANOS).as("still runs").isTrue();
      look();
    }
    look();
  }

  /** Waits until it has printed a line that contains this. */
  void awaitLine(String part) throws InterruptedException, IOException {
    long start = System.nanoTime();
    while (lines().stream().noneMatch(line -> line.contains(part))) {
      assertThat(process.isAlive() && System.nanoTime() - start < LONGEST_RUN_NANOS).as("still runs").isTrue();
      look();
    }
    look();
  }

  /** Waits for its end. */
  int awaitExit() throws InterruptedException {
    long start = System.nanoTime();
    while (process.isAlive()) {
      assertThat(System.nanoTime() - start).as("run time in nanoseconds").isLessThan(LONGEST_RUN_NANOS);
      look();
    }
    return process.exitValue();
  }

  private void look() throws InterruptedException {
    process.descendants().forEach(children::add);
    process.waitFor(50, TimeUnit.MILLISECONDS);
  }

  /** Waits until every child process that was seen so far has ended, and says how many there were. */
  int awaitChildrenEnd() throws Exception {
    for (ProcessHandle child : children) {
      child.onExit().get(1, TimeUnit.MINUTES);
    }
    return children.size();
  }

  /** Ends it with SIGKILL. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** What it printed so far. */
  List<String> lines() throws IOException {
    return Files.readAllLines(output);
  }

  /** Ends what is left of it. */
  @Override
  public void close() {
    children.forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
