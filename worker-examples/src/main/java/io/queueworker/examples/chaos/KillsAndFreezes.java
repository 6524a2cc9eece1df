package io.queueworker.examples.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Does the harms of a plan to a crew, one after the other; freezes go on meanwhile. */
final class KillsAndFreezes {

  /** A step that nobody reports for so long is not waited for: the moment is a random one then. */
  private static final Duration LONGEST_AIM = Duration.ofSeconds(3);

  private static final Duration LONGEST_WAIT = Duration.ofSeconds(60);

  private final ChaosOptions options;
  private final Crew crew;
  private final Journal journal;
  private final ScheduledExecutorService clock;
  private final SplittableRandom random;

  /** {@code clock} has a thread for the ends of freezes. */
  KillsAndFreezes(ChaosOptions options, Crew crew, Journal journal, ScheduledExecutorService clock) {
    this.options = options;
    this.crew = crew;
    this.journal = journal;
    this.clock = clock;
    this.random = new SplittableRandom(options.seed());
  }

  /** Does them all, and waits until nobody stands still; ends early when a worker has failed. */
  void run() throws IOException, InterruptedException {
    for (Harm harm : HarmPlan.of(options.kills(), options.freezes(), options.seed())) {
      // A crew that is mostly starting is no crew: the queue needs somebody who takes the messages over. Two of three
      // harms wait for the former to be made good, the others follow at once.
      if (!crew.awaitStartingAtMost(random.nextInt(3) == 0 ? options.workers() / 2 : 1, LONGEST_WAIT)) {
        return;
      }
      Thread.sleep(harm.pauseMillis());
      boolean happened =
          switch (harm) {
            case Harm.Killing killing -> kill(killing.aim());
            case Harm.Freezing freezing -> freeze(freezing);
          };
      if (!happened) {
        return;
      }
    }
    crew.awaitFrozenAtMost(0, LONGEST_WAIT);
  }

  private boolean kill(Optional<Step> aim) throws InterruptedException {
    return strike(aim, (worker, hit) -> kill(worker, hit));
  }

  private boolean kill(WorkerProcess worker, Optional<Step> hit) {
    long at = System.nanoTime();
    boolean frozen = worker.isFrozen();
    if (!worker.kill()) {
      return false;
    }
    journal.add(new Kill(worker.name(), at, hit, frozen));
    say(worker.name() + (frozen ? " is killed while it stands still" : " is killed " + when(hit)));
    try {
      crew.replace(worker);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return true;
  }

  private boolean freeze(Harm.Freezing freezing) throws IOException, InterruptedException {
    if (!crew.awaitFrozenAtMost(options.workers() / 2 - 1, LONGEST_WAIT)) {
      return false;
    }
    StopGuard guard = StopGuard.start();
    boolean happened = strike(freezing.aim(), (worker, hit) -> freeze(worker, guard, freezing, hit));
    if (!happened) {
      guard.end();
    }
    return happened;
  }

  private boolean freeze(WorkerProcess worker, StopGuard guard, Harm.Freezing freezing, Optional<Step> hit) {
    try {
      if (!worker.freeze(guard)) {
        return false;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    long from = System.nanoTime();
    say(worker.name() + " is stopped for " + freezing.lengthMillis() + " ms " + when(hit));
    var unused =
        clock.schedule(
            () -> {
              end(worker, new Freeze(worker.name(), from, System.nanoTime(), hit), freezing.fatal());
              return worker;
            },
            freezing.lengthMillis(),
            TimeUnit.MILLISECONDS);
    return true;
  }

  private void end(WorkerProcess worker, Freeze freeze, boolean fatal) throws IOException, InterruptedException {
    journal.add(freeze);
    if (fatal) {
      kill(worker, Optional.empty());
    }
    worker.thaw();
    crew.signal();
  }

  private static String when(Optional<Step> hit) {
    return hit.map(step -> "right after it reported \"" + step.word() + "\"").orElse("at a random moment");
  }

  private static void say(String what) {
    System.out.println("        " + what);
  }

  private interface Blow {
    boolean on(WorkerProcess worker, Optional<Step> hit);
  }

  private boolean strike(Optional<Step> aim, Blow blow) throws InterruptedException {
    if (aim.isPresent() && crew.trap(aim.get(), worker -> blow.on(worker, aim), LONGEST_AIM)) {
      return true;
    }
    for (int tries = 0; tries < 100; tries++) {
      @Nullable WorkerProcess worker = crew.awaitBusy(random, LONGEST_WAIT);
      if (worker == null) {
        return false;
      }
      if (blow.on(worker, Optional.empty())) {
        return true;
      }
    }
    return false;
  }
}
