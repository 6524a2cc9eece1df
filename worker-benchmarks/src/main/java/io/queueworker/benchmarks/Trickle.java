package io.queueworker.benchmarks;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.HdrHistogram.ConcurrentHistogram;

/**
 * Messages that {@link Sender another process} sends one by one: how soon each is picked up, and at how many requests. It says
 * when the contender is ready for the first.
 */
final class Trickle implements Trial {

  private static final long LONGEST_MICROS = 600_000_000;

  private final Job job;
  private final QueueEnd end;
  private final Runnable ready;
  private final Contender contender;
  private final Tally tally;
  private final AtomicReference<RequestCounts.Sent> warm = new AtomicReference<>();
  private final ConcurrentHistogram pickups = new ConcurrentHistogram(LONGEST_MICROS, 3);

  /** The contender of this name on the queue of this job, whose work is timed here. */
  Trickle(String name, Job job, QueueEnd end, Runnable ready) {
    this.job = job;
    this.end = end;
    this.ready = ready;
    this.tally =
        new Tally(job.plan().total(), job.plan().warmup(), () -> warm.set(job.clients().counts().sent()));
    this.contender = Contenders.named(name, new Job(job.queueUrl(), job.clients(), job.plan(), this::handle));
  }

  private void handle(String body) throws Exception {
    long micros = Body.microsSinceSent(body);
    if (tally.handled(Body.index(body))) {
      pickups.recordValue(Math.clamp(micros, 0, LONGEST_MICROS));
    }
    job.work().handle(body);
  }

  @Override
  public Result run() throws Exception {
    Plan plan = job.plan();
    warm.set(job.clients().counts().sent());
    contender.start();
    ready.run();
    if (!tally.awaitAll(plan.limitSeconds())) {
      return Result.failed(tally.missing() + " of " + plan.total() + " messages were not handled in time");
    }
    RequestCounts.Sent atLast = job.clients().counts().sent();
    List<String> doubts = new ArrayList<>();
    end.notReached(30).ifPresent(doubts::add);
    RequestCounts.Sent sent = job.clients().counts().sent().minus(warm.get());
    // Receives that wait for what never comes any more are no part of it.
    long receives = atLast.minus(warm.get()).receives();
    double thousands = plan.messages() / 1e3;
    Map<Figure, Double> figures = new EnumMap<>(Figure.class);
    figures.put(Figure.REQUESTS, (receives + sent.deletes()) / thousands);
    figures.put(Figure.RECEIVES, receives / thousands);
    figures.put(Figure.DELETES, sent.deletes() / thousands);
    figures.put(Figure.PICKUP_P50, pickups.getValueAtPercentile(50) / 1e3);
    figures.put(Figure.PICKUP_P99, pickups.getValueAtPercentile(99) / 1e3);
    figures.put(Figure.DUPLICATES, (double) tally.duplicates());
    return new Result(figures, doubts);
  }
}
