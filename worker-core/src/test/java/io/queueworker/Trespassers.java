package io.queueworker;

import io.github.resilience4j.core.IntervalFunction;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.Connection;
import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.Condition;
import org.HdrHistogram.Histogram;
import software.amazon.awssdk.services.sqs.SqsClient;

/** Classes that each break one rule of {@link ArchitectureTest}, so that the rule is seen to fail. None ever runs. */
final class Trespassers {

  private Trespassers() {}

  record Sdk(SqsClient client) {}

  record Jdbc(Connection connection) {}

  record Meters(MeterRegistry registry) {}

  record Percentiles(Histogram histogram) {}

  record Intervals(IntervalFunction intervals) {}

  static final class ReadsClock {
    long go() { return Clock.systemUTC().millis(); }
  }

  static final class ReadsDate {
    LocalDate go() { return LocalDate.now(ZoneOffset.UTC); }
  }

  static final class Sleeps {
    void go() throws InterruptedException {
      Thread.sleep(1);
    }
  }

  static final class AwaitsCondition {
    @SuppressWarnings("WaitNotInLoop")
    void go(Condition condition) throws InterruptedException {
      condition.await();
    }
  }

  static final class TakesFromQueue {
    Object go(BlockingQueue<Object> queue) throws InterruptedException { return queue.take(); }
  }

  static final class StartsThread {
    void go() {
      Thread.ofVirtual().start(() -> {});
    }
  }

  static final class MakesPool {
    ExecutorService go() { return Executors.newCachedThreadPool(); }
  }

  static final class RunsAsync {
    CompletableFuture<Void> go() { return CompletableFuture.runAsync(() -> {}); }
  }

  static final class Draws {
    int go() { return new SplittableRandom().nextInt(); }
  }

  static final class Synchronizes {
    synchronized void go() {}
  }

  static final class Prints {
    void go() {
      System.out.println();
    }
  }
}
