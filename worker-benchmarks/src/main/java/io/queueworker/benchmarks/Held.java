package io.queueworker.benchmarks;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import javax.management.JMException;

import software.amazon.awssdk.services.sqs.model.Message;

/**
 * All messages of a queue in flight at once, for longer than their visibility timeout. Heap is what lives after a full
 * collection; it is compared with that of as many messages on as many virtual threads that wait in the same handler, of which
 * nobody takes care.
 */
final class Held implements Trial {

  private final Job job;
  private final QueueEnd end;
  private final Optional<StubQueue> stub;
  private final Contender contender;
  private final Tally tally;
  private final CountDownLatch returned;
  private final LongAdder interrupted = new LongAdder();

  /** The contender of this name on the queue of this job; {@code stub} if that is in this process. */
  Held(String name, Job job, QueueEnd end, Optional<StubQueue> stub) {
    this.job = job;
    this.end = end;
    this.stub = stub;
    this.tally = new Tally(job.plan().total(), 0, () -> {});
    this.returned = new CountDownLatch(job.plan().total());
    this.contender = Contenders.named(name, new Job(job.queueUrl(), job.clients(), job.plan(), this::handle));
  }

  private void handle(String body) throws InterruptedException {
    tally.handled(Body.index(body));
    try {
      hold();
    } catch (InterruptedException lost) {
      interrupted.increment();
      throw lost;
    }
    returned.countDown();
  }

  private void hold() throws InterruptedException {
    Thread.sleep(job.plan().seconds() * 1_000L);
  }

  @Override
  public Result run() throws Exception {
    Plan plan = job.plan();
    int total = plan.total();
    Map<Figure, Double> figures = new EnumMap<>(Figure.class);
    LiveHeap base = stub.isEmpty() ? new LiveHeap(0, 0) : heapOfMessagesAndThreads(total);
    LiveHeap before = stub.isEmpty() ? base : LiveHeap.now();
    long begun = System.nanoTime();
    contender.start();
    if (!tally.awaitAll(plan.limitSeconds() / 2)) {
      return Result.failed(tally.missing() + " of " + total + " messages were not started in time");
    }
    figures.put(Figure.FILL_MILLIS, (tally.lastAt() - begun) / 1e6);
    if (stub.isPresent()) {
      LiveHeap beyond = LiveHeap.now().since(before).since(base);
      figures.put(Figure.HEAP_BASE, (double) base.bytes() / total);
      figures.put(Figure.HEAP_BEYOND, (double) beyond.bytes() / total);
      figures.put(Figure.HEAP_BEYOND_STACKS, (double) beyond.stacks() / total);
    }
    Usage full = Usage.now();
    figures.put(Figure.THREADS, (double) ManagementFactory.getThreadMXBean().getThreadCount());
    // Until shortly before the first one ends.
    long quiet = plan.seconds() * 1_000L - (System.nanoTime() - begun) / 1_000_000 - 1_000;
    Thread.sleep(Math.max(0, quiet));
    Usage last = Usage.now();
    figures.put(Figure.HELD_CPU, last.cpuMillisSince(full) / ((last.nanos() - full.nanos()) / 6e10));
    List<String> doubts = new ArrayList<>();
    if (!returned.await(plan.limitSeconds() / 2, TimeUnit.SECONDS)) {
      doubts.add(returned.getCount() + " handlers did not return in time");
    }
    end.notReached(60).ifPresent(doubts::add);
    count(figures);
    return new Result(figures, doubts);
  }

  private void count(Map<Figure, Double> figures) {
    Plan plan = job.plan();
    double extensions = job.clients().counts().sent().extensions();
    double intervals = plan.seconds() / Beats.intervalSeconds(plan);
    figures.put(Figure.EXTENSIONS, extensions);
    figures.put(Figure.EXTENSION_BATCH, job.clients().counts().extended() / Math.max(1, extensions));
    figures.put(Figure.EXTENSIONS_PER_MINUTE, extensions / (plan.total() * plan.seconds() / 60.0));
    figures.put(Figure.EXTENSIONS_OF_FLOOR, extensions / (Math.ceilDiv(plan.total(), 10) * intervals));
    figures.put(Figure.DUPLICATES, (double) tally.duplicates());
    figures.put(Figure.LOST, (double) interrupted.sum());
    stub.flatMap(StubQueue::beats)
        .ifPresent(
            beats -> {
              figures.put(Figure.LOST, (double) Math.max(beats.lapsed(), interrupted.sum()));
              figures.put(Figure.LATENESS_P50, beats.latenessPercent(50));
              figures.put(Figure.LATENESS_P99, beats.latenessPercent(99));
              figures.put(Figure.LATENESS_MAX, beats.latenessPercent(100));
            });
  }

  /** What so many messages need that virtual threads hold which wait. */
  private LiveHeap heapOfMessagesAndThreads(int total) throws InterruptedException, JMException {
    LiveHeap before = LiveHeap.now();
    List<Thread> threads = new ArrayList<>(total);
    CountDownLatch started = new CountDownLatch(total);
    for (int index = 0; index < total; index++) {
      Message message = stub.orElseThrow().message(index);
      threads.add(
          Thread.startVirtualThread(
              () -> {
                started.countDown();
                try {
                  hold();
                } catch (InterruptedException told) {
                  // It has been measured.
                }
                Body.index(message.body()); // so that it holds the message until then
              }));
    }
    started.await();
    LiveHeap with = LiveHeap.now();
    threads.forEach(Thread::interrupt);
    for (Thread thread : threads) {
      thread.join();
    }
    return with.since(before);
  }
}
