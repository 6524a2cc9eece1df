package io.queueworker.testkit.chaos;

import io.queueworker.testkit.chaos.ChaosStep.Jolt;
import io.queueworker.testkit.chaos.ChaosStep.Upset;
import io.queueworker.testkit.simulation.CallKind;
import java.time.Duration;
import java.util.ArrayList;
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
      case ChaosStep.OnQueue one when one.call() == CallKind.EXTEND -> extension(one);
      case ChaosStep.OnService one when one.call() == ServiceCall.ROLLBACK || one.call() == ServiceCall.LET_GO ->
          failures();
      case ChaosStep.OnEvent one -> of(one.event());
      case ChaosStep.OnService one when one.call() == ServiceCall.INSERT && settings.gate() == GateKind.DATABASE ->
          List.of(swallowing(0), swallowing(1));
      case ChaosStep.OnWorld one when one.upset() == Upset.STORE_LEAP -> besideItsTwin();
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

  /** A handler that goes on while a twin of its message waits for the key, whose record then runs out too early. */
  private List<ChaosStep> besideItsTwin() {
    return List.of(
        new ChaosStep.OnHandler(0, 1, Act.TAKES, settings.visibility().multipliedBy(3).plusSeconds(10)),
        new ChaosStep.OnHandler(settings.bodies(), 1, Act.TAKES, settings.visibility().multipliedBy(3)),
        new ChaosStep.OnWorld(
            Duration.ofMillis(draws.nextInt(500, 8_000)), Upset.STORE_LEAP, 0, Duration.ofMinutes(1)));
  }

  private static ChaosStep swallowing(int message) {
    return new ChaosStep.OnHandler(message, 1, Act.SWALLOWS, SHORT);
  }

  private ChaosStep failure(int message) {
    return new ChaosStep.OnHandler(message, 1, Act.FAILS, Duration.ofMillis(draws.nextInt(1, 3_000)));
  }

  /** A handler that needs extensions; and now and then no other one that gets through, until the deadline is near. */
  private List<ChaosStep> extension(ChaosStep.OnQueue step) {
    List<ChaosStep> all = new ArrayList<>(List.of(slow()));
    int failing = draws.nextInt(3) == 0 ? draws.nextInt(2, 8) : 0;
    boolean before = step.trouble() == Trouble.FREEZE_BEFORE_SEND;
    for (int i = 1; i <= failing; i++) {
      int nth = step.nth() + (before ? -i : i);
      if (nth > 0) {
        all.add(new ChaosStep.OnQueue(CallKind.EXTEND, nth, Trouble.FAIL, SHORT));
      }
    }
    return all;
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
