package io.queueworker.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A process that this one has started: with this JVM's Java and class path, a heap of fixed size, and its log in a file. It ends
 * when its input is closed, at the latest when this one ends. For one thread.
 */
final class Child implements AutoCloseable {

  /** Where children write what they want a person to know. */
  static final Path LOG = Path.of("target", "bench", "children.log");

  private static final String END = "";

  private final Process process;
  private final LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();

  private Child(Process process) {
    this.process = process;
    BufferedReader output = process.inputReader();
    Thread.ofVirtual().start(() -> read(output));
  }

  /** Starts a program with so much heap. */
  static Child start(Class<?> main, int heapMegabytes, String... arguments) throws IOException {
    Files.createDirectories(LOG.getParent());
    List<String> command = new ArrayList<>(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xms" + heapMegabytes + "m",
            "-Xmx" + heapMegabytes + "m",
            "-XX:+AlwaysPreTouch",
            "-XX:+IgnoreUnrecognizedVMOptions", // JDK 21 does not know the next one
            "--sun-misc-unsafe-memory-access=allow",
            "-classpath",
            System.getProperty("java.class.path"),
            main.getName()));
    command.addAll(List.of(arguments));
    return new Child(new ProcessBuilder(command).redirectError(Redirect.appendTo(LOG.toFile())).start());
  }

  private void read(BufferedReader output) {
    try {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        lines.add(line);
      }
    } catch (IOException ended) {
      // As good as the end of its output.
    }
    lines.add(END);
  }

  /** Its next line; empty when it ended or did not say anything in time. */
  Optional<String> line(Duration atMost) throws InterruptedException {
    String line = lines.poll(atMost.toMillis(), TimeUnit.MILLISECONDS);
    return Optional.ofNullable(line).filter(text -> !text.equals(END));
  }

  /** Says a line to it. */
  void say(String line) throws IOException {
    Writer input = process.outputWriter();
    input.write(line + "\n");
    input.flush();
  }

  @Override
  public void close() {
    try {
      process.outputWriter().close(); // the end of its input
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (IOException gone) {
      process.destroyForcibly();
    } catch (InterruptedException told) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
