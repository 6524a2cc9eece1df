package io.queueworker.testkit.chaos;

import io.queueworker.testkit.chaos.ChaosStep.Jolt;
import io.queueworker.testkit.simulation.CallKind;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Disturbances without which another one would hardly ever come about: a release goes wrong only where something is released.
 * Not thread-safe.
 */
final class Companions {

  private static final Duration SHORT = Duration.ofSeconds(1);

  private final SplittableRandom draws;
  private final ChaosSettings settings;

  Companions(SplittableRandom draws, ChaosSettings settings) {
    this.draws = draws;
    this.settings = settings;
  }

  /** Those that make this one likely. */
  List<ChaosStep> of(ChaosStep step) {
    return switch (step) {
      case ChaosStep.OnQueue one when one.call() == CallKind.RELEASE -> failures();
      case ChaosStep.OnQueue one when one.call() == CallKind.EXTEND -> List.of(slow());
      case ChaosStep.OnService one when one.call() == ServiceCall.ROLLBACK || one.call() == ServiceCall.LET_GO ->
          failures();
      case ChaosStep.OnEvent one -> of(one.event());
      case ChaosStep.OnHandler one when one.act() == Act.DEAF -> besideItsSuccessor();
      default -> List.of();
    };
  }

  private List<ChaosStep> of(String event) {
    return switch (event) {
      case "Released" -> failures();
      case "ReleaseFailed" -> List.of(failure(0), failure(1), onQueue(CallKind.RELEASE, Trouble.ENTRY_LOST));
      case "ExtendFailed" -> List.of(slow(), onQueue(CallKind.EXTEND, Trouble.FAIL));
      case "DeleteFailed" -> List.of(onQueue(CallKind.DELETE, Trouble.FAIL));
      case "CommitUnknown" -> List.of(
          new ChaosStep.OnService(
              settings.gate().isLeased() ? ServiceCall.COMPLETE : ServiceCall.COMMIT, nth(), Trouble.LOSE_REQUEST,
              SHORT));
      case "CutShort", "Interrupted" -> List.of(
          new ChaosStep.OnHandler(0, 1, Act.HANGS, SHORT),
          new ChaosStep.OnHandler(1, 1, Act.HANGS, SHORT),
          close(0),
          close(1));
      case "LeftForRedrive" -> failures();
      default -> List.of();
    };
  }

  private List<ChaosStep> failures() {
    return List.of(failure(0), failure(1));
  }

  /** A handler that goes on without its lease until its message has come again, and a close that finds both. */
  private List<ChaosStep> besideItsSuccessor() {
    Duration visibility = settings.visibility();
    Duration again = visibility.plusMillis(draws.nextInt(500, 4_000));
    Duration soon = Duration.ofMillis(draws.nextInt(100, 1_500));
    return List.of(
        new ChaosStep.OnHandler(0, 1, Act.DEAF, visibility.multipliedBy(2).plusSeconds(15)),
        new ChaosStep.OnWorker(soon, 0, Jolt.LEAP, Duration.ofMinutes(2)),
        new ChaosStep.OnWorker(soon, 1 % settings.workers(), Jolt.LEAP, Duration.ofMinutes(2)),
        new ChaosStep.OnWorker(again, 0, Jolt.CLOSE, Duration.ofSeconds(draws.nextInt(1, 20))),
        new ChaosStep.OnWorker(again, 1 % settings.workers(), Jolt.CLOSE, Duration.ofSeconds(draws.nextInt(1, 20))));
  }

  private ChaosStep failure(int message) {
    return new ChaosStep.OnHandler(message, 1, Act.FAILS, Duration.ofMillis(draws.nextInt(1, 3_000)));
  }

  private ChaosStep slow() {
    return new ChaosStep.OnHandler(draws.nextInt(settings.bodies()), 1, Act.TAKES,
        settings.visibility().multipliedBy(2));
  }

  private ChaosStep onQueue(CallKind call, Trouble trouble) {
    return new ChaosStep.OnQueue(call, nth(), trouble, SHORT);
  }

  private ChaosStep close(int worker) {
    return new ChaosStep.OnWorker(
        Duration.ofMillis(draws.nextInt(100, 4_000)), worker % settings.workers(), Jolt.CLOSE,
        Duration.ofMillis(draws.nextInt(1, 10_000)));
  }

  private int nth() {
    return draws.nextInt(1, 4);
  }
}
