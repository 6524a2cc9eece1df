package io.queueworker.benchmarks;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** A contender on a queue to which nothing comes, looked at after its first minute, in which a JVM loads and compiles. */
final class Idle implements Trial {

  private static final Duration SETTLE = Duration.ofMinutes(1);

  private final Job job;
  private final Contender contender;

  /** The contender of this name on the queue of this job. */
  Idle(String name, Job job) {
    this.job = job;
    this.contender = Contenders.named(name, job);
  }

  @Override
  public Result run() throws Exception {
    contender.start();
    Thread.sleep(SETTLE);
    Usage before = Usage.now();
    RequestCounts.Sent sent = job.clients().counts().sent();
    Thread.sleep(Duration.ofSeconds(job.plan().seconds()));
    Usage after = Usage.now();
    double minutes = (after.nanos() - before.nanos()) / 6e10;
    Map<Figure, Double> figures = new EnumMap<>(Figure.class);
    figures.put(Figure.IDLE_REQUESTS, job.clients().counts().sent().minus(sent).all() / minutes);
    figures.put(Figure.IDLE_CPU, after.cpuMillisSince(before) / minutes);
    return new Result(figures, List.of());
  }
}
