package io.queueworker.examples.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.util.concurrent.TimeUnit;

/** A {@link ServerMain} as its parent sees it. Closing ends it and waits for its end. For one thread. */
final class ServerProcess implements AutoCloseable {

  private static final long LONGEST_STOP_SECONDS = 20;

  private final String kind;
  private final Process process;
  private final BufferedReader output;

  private ServerProcess(String kind, Process process) {
    this.kind = kind;
    this.process = process;
    this.output = process.inputReader();
  }

  /** Starts one; {@link #where} waits until it can be used. */
  static ServerProcess start(ChildJvm jvm, String kind) throws IOException {
    return new ServerProcess(kind, jvm.start(ServerMain.class, 256, kind));
  }

  /** Where it is. Waits until it answers; called once. */
  JsonNode where() throws IOException {
    return read();
  }

  /** What its log says now; an empty array from a server that tells nothing. Waits for the answer. */
  JsonNode log() throws IOException {
    Writer input = process.outputWriter();
    input.write("log\n");
    input.flush();
    return read();
  }

  private JsonNode read() throws IOException {
    String line = output.readLine();
    if (line == null) {
      throw new IOException("the server " + kind + " has ended; its log says why");
    }
    return new ObjectMapper().readTree(line);
  }

  @Override
  public void close() throws IOException, InterruptedException {
    process.outputWriter().close(); // the end of its input
    if (!process.waitFor(LONGEST_STOP_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
    }
  }
}
