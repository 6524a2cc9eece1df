package io.queueworker.benchmarks;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A full queue that the contender drains. Measured from the handler that ends the warm-up, in full flight, to the last one; CPU,
 * bytes and requests until the queue is empty, so that nobody gains by deleting late.
 */
final class Saturated implements Trial {

  private final Job job;
  private final QueueEnd end;
  private final Contender contender;
  private final Tally tally;
  private final GroupOrder order = new GroupOrder();
  private final AtomicReference<Mark> warm = new AtomicReference<>();

  /** A moment of the run. */
  private record Mark(Usage usage, RequestCounts.Sent sent) {}

  /** The contender of this name on the queue of this job, whose work is counted here. */
  Saturated(String name, Job job, QueueEnd end) {
    this.job = job;
    this.end = end;
    this.tally = new Tally(job.plan().total(), job.plan().warmup(), () -> warm.set(mark()));
    this.contender = Contenders.named(name, ordered(job).counted(tally));
  }

  private Job ordered(Job plain) {
    if (plain.plan().service() != Service.ELASTICMQ_FIFO) {
      return plain;
    }
    Job.Work work =
        body -> {
          order.handled(Body.index(body));
          plain.work().handle(body);
        };
    return new Job(plain.queueUrl(), plain.clients(), plain.plan(), work);
  }

  private Mark mark() {
    return new Mark(Usage.now(), job.clients().counts().sent());
  }

  @Override
  public Result run() throws Exception {
    Plan plan = job.plan();
    Optional<String> miscounted = Usage.checkAllocation();
    warm.set(mark());
    contender.start();
    if (!tally.awaitAll(plan.limitSeconds() / 2)) {
      return Result.failed(tally.missing() + " of " + plan.total() + " messages were not handled in time");
    }
    // Receives that wait for what never comes any more are no part of it.
    long receives = job.clients().counts().sent().minus(warm.get().sent()).receives();
    List<String> doubts = new ArrayList<>();
    end.notReached(30).ifPresent(doubts::add);
    Mark last = mark();
    Mark first = warm.get();
    miscounted.ifPresent(doubts::add);
    if (order.wrong() > 0) {
      doubts.add(order.wrong() + " messages were handled after a later one of their group");
    }
    RequestCounts.Sent sent = last.sent().minus(first.sent());
    double thousands = plan.messages() / 1e3;
    Map<Figure, Double> figures = new EnumMap<>(Figure.class);
    figures.put(Figure.THROUGHPUT, plan.messages() / ((tally.lastAt() - first.usage().nanos()) / 1e9));
    figures.put(Figure.CPU, last.usage().cpuMillisSince(first.usage()) / thousands);
    figures.put(Figure.ALLOCATED, last.usage().allocatedSince(first.usage()) / plan.messages());
    figures.put(Figure.REQUESTS, (receives + sent.deletes()) / thousands);
    figures.put(Figure.RECEIVES, receives / thousands);
    figures.put(Figure.DELETES, sent.deletes() / thousands);
    figures.put(Figure.DUPLICATES, (double) tally.duplicates());
    return new Result(figures, doubts);
  }
}
