package io.queueworker.testkit.gate;

import io.queueworker.gate.Admission;
import io.queueworker.gate.Attempt;
import io.queueworker.gate.Attempt.Outcome;
import io.queueworker.gate.AttemptInfo;
import io.queueworker.gate.GateKey;
import io.queueworker.gate.GateVerdictException;
import io.queueworker.gate.IdempotencyGate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Assertions;

/**
 * Attempts at keys, made as a worker makes them.
 *
 * <p>Stateless.
 */
final class GateAttempts {
  private static final long BOUND_SECONDS = 120;
  private static final Duration LEASE = Duration.ofSeconds(30);

  private GateAttempts() {}

  /** The worker {@code worker-1} with the first receive of a message. */
  static AttemptInfo info(String message) {
    return info("worker-1", message, 1);
  }

  static AttemptInfo info(String worker, String message, int receiveCount) {
    return new AttemptInfo(worker, message, receiveCount, LEASE, warning -> {});
  }

  /** An attempt that the gate takes for fresh. */
  static <R> Attempt<R> fresh(IdempotencyGate<R> gate, GateKey key, String message) throws Exception {
    Admission<R> admission = gate.admit(key, info(message));
    if (admission instanceof Admission.Fresh<R> fresh) {
      return fresh.attempt();
    }
    return Assertions.fail("the key " + shown(key) + " should be fresh, but the gate said " + admission);
  }

  /** One whole attempt. */
  static <R> Outcome run(IdempotencyGateContract<R> contract, IdempotencyGate<R> gate, GateKey key, AttemptInfo info,
      String effect) throws Exception {
    return switch (gate.admit(key, info)) {
      case Admission.Fresh<R> fresh -> finish(contract, fresh.attempt(), effect);
      case Admission.AlreadyDone<R> done -> new Outcome.AlreadyDone(done.by());
      case Admission.InProgress<R> busy -> new Outcome.InProgress();
      case Admission.Uncertain<R> uncertain -> Assertions.fail("uncertain: " + uncertain.why());
    };
  }

  /** Makes the effect and commits, unless the gate's verdict stands against it. */
  static <R> Outcome finish(IdempotencyGateContract<R> contract, Attempt<R> attempt, String effect) throws Exception {
    try {
      contract.effect(attempt.effects(), effect);
    } catch (GateVerdictException e) {
      attempt.rollback();
      return attempt.verdict()
          .orElseGet(() -> Assertions.fail("the gate refused the effect, but has no verdict", e));
    }
    Optional<Outcome> verdict = attempt.verdict();
    if (verdict.isPresent()) {
      attempt.rollback();
      return verdict.get();
    }
    return attempt.commit();
  }

  /** Attempts on a thread each, begun together and each repeated while another is in progress. */
  static <R> List<Outcome> together(IdempotencyGateContract<R> contract, IdempotencyGate<R> gate, int attempts,
      IntFunction<GateKey> keys, IntFunction<String> effects) throws Exception {
    CountDownLatch ready = new CountDownLatch(attempts);
    List<FutureTask<Outcome>> running = new ArrayList<>();
    for (int i = 0; i < attempts; i++) {
      GateKey key = keys.apply(i);
      String effect = effects.apply(i);
      AttemptInfo info = info("worker-" + i % 3, "m-" + i, 1);
      running.add(
          start(
              () -> {
                ready.countDown();
                ready.await();
                return untilKnown(() -> run(contract, gate, key, info, effect));
              }));
    }
    List<Outcome> outcomes = new ArrayList<>();
    for (FutureTask<Outcome> task : running) {
      outcomes.add(task.get(BOUND_SECONDS, TimeUnit.SECONDS));
    }
    return outcomes;
  }

  private static Outcome untilKnown(Callable<Outcome> attempt) throws Exception {
    long start = System.nanoTime();
    Outcome outcome = attempt.call();
    while (outcome instanceof Outcome.InProgress) {
      if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(BOUND_SECONDS)) {
        return outcome;
      }
      Thread.onSpinWait();
      outcome = attempt.call();
    }
    return outcome;
  }

  private static <A> FutureTask<A> start(Callable<A> body) {
    FutureTask<A> task = new FutureTask<>(body);
    Thread.ofPlatform().daemon().name("gate-contract").start(task);
    return task;
  }

  /** A key for a message of a failed test, shortened. */
  static String shown(GateKey key) {
    return "\"" + (key.text().length() > 20 ? key.text().substring(0, 20) + "..." : key.text()) + "\" of the scope \""
        + key.scope() + "\"";
  }
}
