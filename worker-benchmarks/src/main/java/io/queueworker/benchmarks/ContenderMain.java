package io.queueworker.benchmarks;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One contender in one round, in a JVM of its own. It prints lines of JSON: {@code "ready"} when messages may be sent, where
 * that matters, and at last its {@link Result}. It ends when its input does, which its parent holds open.
 */
public final class ContenderMain {

  private static final Logger LOG = LoggerFactory.getLogger(ContenderMain.class);
  private static final ObjectMapper JSON = new ObjectMapper();

  private ContenderMain() {}

  /** Takes the contender's name, the {@link Plan} as JSON, and the queue's URL, {@code -} for a queue in this process. */
  public static void main(String[] args) {
    Thread.ofPlatform().daemon().name("parent").start(ContenderMain::endWithParent);
    try {
      Plan plan = JSON.readValue(args[1], Plan.class);
      print(trial(args[0], plan, args[2]).run());
    } catch (Exception | LinkageError e) {
      LOG.error("the trial ends", e);
      print(Result.failed(e.toString()));
    } finally {
      Runtime.getRuntime().halt(0); // what the contender has open ends with the process
    }
  }

  private static Trial trial(String name, Plan plan, String url) {
    Job.Work work = plan.handlerMillis() == 0 ? body -> {} : body -> Thread.sleep(plan.handlerMillis());
    Job job;
    QueueEnd end;
    Optional<StubQueue> stub = Optional.empty();
    if (plan.service() == Service.STUB) {
      StubQueue queue =
          plan.kind() == Kind.HELD
              ? StubQueue.watched(plan.total(), plan.visibilitySeconds())
              : StubQueue.full(plan.total(), plan.visibilitySeconds());
      stub = Optional.of(queue);
      System.gc(); // moves the messages to where the collector leaves them alone
      job = new Job(StubClients.URL, new StubClients(queue), plan, work);
      end = QueueEnd.of(queue);
    } else {
      job = new Job(url, new HttpClients(url), plan, work);
      end = QueueEnd.of(new QueueCounter(url));
    }
    return switch (plan.kind()) {
      case SATURATED -> new Saturated(name, job, end);
      case TRICKLE -> new Trickle(name, job, end, () -> print("ready"));
      case IDLE -> new Idle(name, job);
      case CLOSE -> new Closing(name, job, new QueueCounter(url));
      case HELD -> new Held(name, job, end, stub);
    };
  }

  private static void print(Object line) {
    try {
      System.out.println(JSON.writeValueAsString(line));
      System.out.flush();
    } catch (IOException e) {
      throw new IllegalStateException("a result that is no JSON: " + line, e);
    }
  }

  private static void endWithParent() {
    try {
      while (System.in.read() >= 0) {
        // Nothing is said.
      }
    } catch (IOException parentIsGone) {
      // As good as the end.
    }
    Runtime.getRuntime().halt(3);
  }
}
