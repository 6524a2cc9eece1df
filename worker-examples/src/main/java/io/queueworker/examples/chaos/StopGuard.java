package io.queueworker.examples.chaos;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * A shell that stops one process with SIGSTOP and continues it when told to, or when this process dies: a stopped worker
 * cannot see by itself that its parent is gone. Started before the moment, so that the stop takes no time. For one thread at
 * a time.
 */
final class StopGuard {

  private static final String SCRIPT =
      "trap '' HUP INT TERM; read -r pid || exit 0; kill -STOP \"$pid\" || exit 1; echo stopped; read -r word;"
          + " kill -CONT \"$pid\" 2>/dev/null";

  private final Process shell;
  private final Writer input;
  private final BufferedReader output;

  private StopGuard(Process shell) {
    this.shell = shell;
    this.input = shell.outputWriter();
    this.output = shell.inputReader();
  }

  /** Starts one that waits for its process. */
  static StopGuard start() throws IOException {
    return new StopGuard(
        new ProcessBuilder("sh", "-c", SCRIPT).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  /** Stops a child of this process, once. */
  void stop(Process child) throws IOException {
    input.write(child.pid() + "\n");
    input.flush();
    if (!Objects.equals(output.readLine(), "stopped")) {
      throw new IOException("process " + child.pid() + " could not be stopped");
    }
  }

  /** Continues it, if it was stopped, and ends. */
  void end() throws IOException, InterruptedException {
    input.close();
    if (!shell.waitFor(10, TimeUnit.SECONDS)) {
      throw new IOException("the shell that continues a stopped process did not end");
    }
  }
}
