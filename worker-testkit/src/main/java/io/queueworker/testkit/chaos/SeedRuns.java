package io.queueworker.testkit.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/**
 * Runs many seeds, as many at once as there are processors. Each run has one thread in effect, and none sees another.
 * Used by one thread.
 */
final class SeedRuns {

  private static final long TELL_EVERY = Duration.ofSeconds(20).toNanos();

  private final LongFunction<ChaosPlan> plans;
  private final ChaosSetup setup;
  private final Consumer<String> progress;
  private final Tally tally = new Tally();
  private final List<Verdict> failed = Collections.synchronizedList(new ArrayList<>());
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicInteger done = new AtomicInteger();
  private final AtomicInteger calm = new AtomicInteger();
  private final AtomicBoolean over = new AtomicBoolean();

  /**
   * @param plans the plan of each seed
   * @param progress hears now and then how far it is
   */
  SeedRuns(LongFunction<ChaosPlan> plans, ChaosSetup setup, Consumer<String> progress) {
    this.plans = plans;
    this.setup = setup;
    this.progress = progress;
  }

  /**
   * Runs them; stops early when one fails.
   *
   * @throws ChaosFailure for the first of the given order that failed, shrunk
   */
  ChaosSummary run(List<Long> seeds) {
    long startedAt = System.nanoTime();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < Math.min(Runtime.getRuntime().availableProcessors(), seeds.size()); i++) {
      threads.add(Thread.ofPlatform().name("chaos-" + i).daemon().start(() -> work(seeds)));
    }
    long told = startedAt;
    try {
      for (Thread thread : threads) {
        while (!thread.join(Duration.ofSeconds(1))) {
          if (System.nanoTime() - told > TELL_EVERY) {
            told = System.nanoTime();
            progress.accept(done + " of " + seeds.size() + " seeds, " + failed.size() + " failed");
          }
        }
      }
    } catch (InterruptedException e) {
      over.set(true);
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted after " + done + " of " + seeds.size() + " seeds", e);
    }
    if (!failed.isEmpty()) {
      Verdict first =
          failed.stream()
              .min((a, b) -> Integer.compare(seeds.indexOf(a.plan().seed()), seeds.indexOf(b.plan().seed())))
              .orElseThrow();
      throw new ChaosFailure(Shrinking.of(first, setup));
    }
    return new ChaosSummary(
        done.get(), calm.get(), Duration.ofNanos(System.nanoTime() - startedAt), tally.fired(), tally.taken());
  }

  private void work(List<Long> seeds) {
    for (int i = next.getAndIncrement(); i < seeds.size() && !over.get(); i = next.getAndIncrement()) {
      ChaosPlan plan = plans.apply(seeds.get(i));
      Verdict verdict = ChaosRun.of(plan, setup);
      if (!verdict.breaches().isEmpty()) {
        failed.add(verdict);
        over.set(true);
      }
      tally.add(verdict.tally());
      done.incrementAndGet();
      calm.addAndGet(plan.isCalm() ? 1 : 0);
    }
  }
}
