package io.queueworker.spec;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import io.queueworker.QueueWorker;
import io.queueworker.RejectException;
import io.queueworker.RetryLaterException;
import io.queueworker.WorkerBuilder;
import io.queueworker.gate.Admission;
import io.queueworker.gate.Attempt;
import io.queueworker.gate.AttemptInfo;
import io.queueworker.gate.GateKey;
import io.queueworker.gate.IdempotencyGate;
import io.queueworker.observe.WorkerEvent;
import io.queueworker.observe.WorkerEvent.CommitUnknown;
import io.queueworker.observe.WorkerEvent.CutShort;
import io.queueworker.observe.WorkerEvent.EffectUncertain;
import io.queueworker.observe.WorkerEvent.Failed;
import io.queueworker.observe.WorkerEvent.HandlerStarted;
import io.queueworker.observe.WorkerEvent.HeldBack;
import io.queueworker.observe.WorkerEvent.LeaseLost;
import io.queueworker.observe.WorkerEvent.Suppressed;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * What becomes of a half-open breaker's only permission on a path that says nothing about what handlers depend on. Asked by
 * the path's name, also of a patched core; answers in words, empty when the permission is there again and no outcome was
 * counted. Stateless.
 */
public final class UnusedPermissions implements Function<String, String> {

  /** A way through an attempt that is no outcome. */
  enum Path {
    SUPPRESSED(Suppressed.class),
    IN_PROGRESS(HeldBack.class),
    GATE_AWAY(HeldBack.class),
    COMMIT_UNKNOWN(CommitUnknown.class),
    UNCERTAIN(EffectUncertain.class),
    IN_PROGRESS_AT_COMMIT(HeldBack.class),
    STORE_AWAY_AT_COMMIT(HeldBack.class),
    STORE_BROKE_UNDER_THE_HANDLER(HeldBack.class),
    TAKEN_OVER_BEFORE_THE_HANDLER(HeldBack.class),
    BODY_NOT_DECODED(Failed.class),
    NO_KEY(Failed.class),
    REJECTED_BY_THE_HANDLER(Failed.class),
    SENT_AWAY_BY_THE_HANDLER(Failed.class),
    LOST(LeaseLost.class),
    TOLD_TO_END(HandlerStarted.class);

    private final Class<? extends WorkerEvent> shows;

    Path(Class<? extends WorkerEvent> shows) {
      this.shows = shows;
    }
  }

  @Override
  public String apply(String path) {
    StringBuilder wrong = new StringBuilder();
    Rig.run(1, rig -> wrong.append(walk(rig, Path.valueOf(path))));
    return wrong.toString();
  }

  private static String walk(Rig rig, Path path) {
    CircuitBreaker breaker =
        Breakers.breaker(rig.timing, config -> config.permittedNumberOfCallsInHalfOpenState(1));
    breaker.transitionToOpenState();
    breaker.transitionToHalfOpenState();
    rig.queue.visibility(Duration.ofSeconds(5));
    rig.send(1);
    WorkerBuilder<String> builder =
        rig.worker()
            .pollWait(Duration.ofSeconds(1))
            .drainTimeout(Duration.ofSeconds(5))
            .heartbeat(path != Path.LOST)
            .circuitBreaker(breaker);
    QueueWorker worker =
        builder
            .decode(body -> path == Path.BODY_NOT_DECODED ? fail() : body)
            .once(
                new PathGate(path),
                delivery -> path == Path.NO_KEY ? fail() : delivery.body(),
                (delivery, effects) -> {
                  switch (path) {
                    case LOST, TOLD_TO_END -> {
                      rig.timing.sleep(Duration.ofSeconds(20));
                      fail();
                    }
                    case STORE_BROKE_UNDER_THE_HANDLER -> fail();
                    case REJECTED_BY_THE_HANDLER -> throw new RejectException("cannot be handled");
                    case SENT_AWAY_BY_THE_HANDLER -> throw new RetryLaterException(Duration.ofHours(1));
                    default -> {
                      // It returns.
                    }
                  }
                })
            .start();
    rig.awaitCount(path.shows, 1);
    rig.timing.advance(path == Path.LOST ? Duration.ofSeconds(30) : Duration.ofMillis(20));
    worker.close();
    rig.timing.advance(Duration.ofSeconds(30));
    if (path == Path.TOLD_TO_END && rig.trail.count(CutShort.class) != 1) {
      return "the handler was not cut short";
    }
    int counted = breaker.getMetrics().getNumberOfBufferedCalls();
    return breaker.getState() != State.HALF_OPEN || counted > 0
        ? "the breaker is " + breaker.getState() + " with " + counted + " outcomes"
        : breaker.tryAcquirePermission() ? "" : "the permission is gone";
  }

  private static String fail() throws IOException {
    throw new IOException("no outcome of what the handler depends on");
  }

  /** A gate whose attempts take the path. */
  private record PathGate(Path path) implements IdempotencyGate<List<String>> {

    @Override
    public void open() {}

    @Override
    public boolean transactional() {
      return true;
    }

    @Override
    public Admission<List<String>> admit(GateKey key, AttemptInfo info) throws Exception {
      return switch (path) {
        case SUPPRESSED -> new Admission.AlreadyDone<>(Optional.empty());
        case IN_PROGRESS -> new Admission.InProgress<>();
        case GATE_AWAY -> throw new SQLException("connection refused");
        case UNCERTAIN -> new Admission.Uncertain<>("nobody knows");
        default -> new Admission.Fresh<>(new PathAttempt(path));
      };
    }
  }

  /** An attempt that takes the path. */
  private record PathAttempt(Path path) implements Attempt<List<String>> {

    @Override
    public List<String> effects() {
      return List.of();
    }

    @Override
    public Outcome run(Handling<List<String>> handling) {
      return path == Path.TAKEN_OVER_BEFORE_THE_HANDLER ? new Outcome.InProgress() : Attempt.super.run(handling);
    }

    @Override
    public Optional<Outcome> verdict() {
      return Optional.empty();
    }

    @Override
    public Outcome commit() {
      return switch (path) {
        case COMMIT_UNKNOWN -> new Outcome.CommitUnknown(new SQLException("connection reset"));
        case IN_PROGRESS_AT_COMMIT -> new Outcome.InProgress();
        case STORE_AWAY_AT_COMMIT -> new Outcome.Unavailable(new SQLException("connection reset"));
        default -> new Outcome.Committed();
      };
    }

    @Override
    public boolean rollback() {
      return path == Path.STORE_BROKE_UNDER_THE_HANDLER;
    }
  }
}
