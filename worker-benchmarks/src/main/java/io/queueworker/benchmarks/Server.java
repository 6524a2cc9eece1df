package io.queueworker.benchmarks;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/** A {@link ServerMain} as its parent sees it. Thread-safe. */
final class Server implements AutoCloseable {

  private static final int HEAP_MEGABYTES = 1_024;
  private static final Duration LONGEST_FILL = Duration.ofMinutes(3);

  private final ObjectMapper json = new ObjectMapper();
  private final ReentrantLock lock = new ReentrantLock();
  private final Child child;
  private int queues;

  private Server(Child child) {
    this.child = child;
  }

  /** Starts one; it answers when it can. */
  static Server start() throws IOException {
    return new Server(Child.start(ServerMain.class, HEAP_MEGABYTES));
  }

  /** Makes a queue for this plan, and fills it when the plan says so; returns its URL. */
  String create(Plan plan) throws IOException, InterruptedException {
    lock.lock();
    try {
      queues++;
      return ask(QueueRequest.create("bench-" + queues, plan));
    } finally {
      lock.unlock();
    }
  }

  /** Deletes a queue. */
  void delete(String url) throws IOException, InterruptedException {
    lock.lock();
    try {
      ask(QueueRequest.delete(url));
    } finally {
      lock.unlock();
    }
  }

  private String ask(QueueRequest request) throws IOException, InterruptedException {
    child.say(json.writeValueAsString(request));
    String answer =
        child.line(LONGEST_FILL)
            .orElseThrow(() -> new IOException("the server has ended or hangs; " + Child.LOG + " says why"));
    return json.readValue(answer, String.class);
  }

  @Override
  public void close() {
    child.close();
  }
}
