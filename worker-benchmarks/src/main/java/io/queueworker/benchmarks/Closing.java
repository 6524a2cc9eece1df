package io.queueworker.benchmarks;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A full queue whose contender is told to end in the middle of it: how long that takes, what it leaves hidden, and what it has
 * handled and not deleted.
 */
final class Closing implements Trial {

  /** In which the answer to a receive may still hide messages that nobody waits for. */
  private static final int AFTERMATH_MILLIS = 500;

  private final Job job;
  private final QueueCounter counter;
  private final Contender contender;
  private final Tally tally;
  private final CountDownLatch inTheMiddle = new CountDownLatch(1);

  /** The contender of this name on the queue of this job, which is counted here. */
  Closing(String name, Job job, QueueCounter counter) {
    this.job = job;
    this.counter = counter;
    this.tally = new Tally(job.plan().total(), job.plan().warmup(), inTheMiddle::countDown);
    this.contender = Contenders.named(name, job.counted(tally));
  }

  @Override
  public Result run() throws Exception {
    int total = job.plan().total();
    contender.start();
    if (!inTheMiddle.await(job.plan().limitSeconds() / 2, TimeUnit.SECONDS)) {
      return Result.failed(tally.missing() + " of " + total + " messages were not handled in time");
    }
    long begun = System.nanoTime();
    contender.close();
    double millis = (System.nanoTime() - begun) / 1e6;
    int handled = total - tally.missing();
    Thread.sleep(AFTERMATH_MILLIS);
    QueueCounter.Count left = counter.count();
    int deleted = total - left.visible() - left.hidden();
    List<String> doubts = new ArrayList<>();
    if (deleted > handled) {
      doubts.add(deleted - handled + " messages were deleted that no handler had finished");
    }
    if (handled == total) {
      doubts.add("the queue was empty before the close: give more -Dmessages");
    }
    Map<Figure, Double> figures = new EnumMap<>(Figure.class);
    figures.put(Figure.CLOSE_MILLIS, millis);
    figures.put(Figure.LEFT_IN_FLIGHT, (double) left.hidden());
    figures.put(Figure.HANDLED_NOT_DELETED, (double) Math.max(0, handled - deleted));
    figures.put(Figure.DUPLICATES, (double) tally.duplicates());
    return new Result(figures, doubts);
  }
}
