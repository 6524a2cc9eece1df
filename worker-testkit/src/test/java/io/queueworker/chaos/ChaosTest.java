package io.queueworker.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.queueworker.Failure;
import io.queueworker.LossReason;
import io.queueworker.gate.Admission;
import io.queueworker.gate.Attempt;
import io.queueworker.observe.WorkerEvent;
import io.queueworker.testkit.chaos.Chaos;
import io.queueworker.testkit.chaos.ChaosFailure;
import io.queueworker.testkit.chaos.ChaosPlan;
import io.queueworker.testkit.chaos.ChaosSummary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole workers under every fault, from seeds. {@code -Dchaos.seeds=N -Dchaos.from=S} runs others. */
class ChaosTest {

  /** Fits a minute on two cores. */
  private static final int SEEDS = 5_000;

  private static final Path SEED_FILE = Path.of("src/test/resources/chaos-seeds.txt");

  /** What no run shows: it would end it. */
  private static final Set<String> NOT_SHOWN =
      Set.of("event InternalError");

  @Test
  void nothing_is_lost_and_nothing_is_done_twice_under_any_fault() {
    ChaosSummary summary =
        Chaos.ofEverything()
            .seedFile(SEED_FILE)
            .seeds(SEEDS)
            .progress(System.out::println)
            .run();
    System.out.println(summary);
    if (summary.runs() >= SEEDS) {
      // A rig that cannot bring a fault about, or never takes a branch, shows nothing about it.
      assertThat(summary.neverFired(ChaosPlan.kinds())).as("disturbances that never came about").isEmpty();
      assertThat(summary.neverTaken(branches())).as("branches that were never taken").isEmpty();
      assertThat(summary.calm()).as("runs in which nothing may go wrong").isPositive();
    }
  }

  private static List<String> branches() {
    List<String> all = new ArrayList<>();
    names(Admission.class).map("admission "::concat).forEach(all::add);
    names(Attempt.Outcome.class).map("outcome "::concat).forEach(all::add);
    names(WorkerEvent.class).map("event "::concat).forEach(all::add);
    all.add("admission failed");
    all.add("outcome Undone (store broke)");
    for (LossReason reason : LossReason.values()) {
      all.add("event LeaseLost " + reason);
    }
    for (WorkerEvent.HoldReason reason : WorkerEvent.HoldReason.values()) {
      all.add("event HeldBack " + reason);
    }
    for (Failure.Stage stage : Failure.Stage.values()) {
      all.add("event Failed " + stage);
    }
    all.add("event DeleteFailed for good");
    all.add("event ExtendSent urgent");
    all.removeAll(NOT_SHOWN);
    return all;
  }

  private static Stream<String> names(Class<?> sealed) {
    return Stream.of(sealed.getPermittedSubclasses())
        .filter(Class::isRecord)
        .map(Class::getSimpleName)
        .filter(name -> !DETAILED.contains(name));
  }

  /** Counted with their reason. */
  private static final Set<String> DETAILED =
      Set.of("LeaseLost", "NotStarted", "Interrupted", "HeldBack", "Failed", "ReceiveFailed", "Paused", "ClockGap");

  @Test
  void the_same_seed_gives_the_same_trail_and_another_seed_another() {
    for (long seed : List.of(3L, 304L)) {
      String first = Chaos.ofEverything().trail(seed);
      assertThat(Chaos.ofEverything().trail(seed)).isEqualTo(first);
      assertThat(Chaos.ofEverything().trail(seed + 1)).isNotEqualTo(first);
      assertThat(first.lines().count()).isGreaterThan(20);
    }
  }

  @Test
  void a_handler_that_makes_its_effect_in_the_gates_transaction_passes() {
    ChaosSummary summary =
        Chaos.of(world -> world.worker()
            .once(world.database().gate(), delivery -> delivery.body(), (delivery, tx) -> {
              world.work(delivery);
              tx.insert(delivery.body());
            }))
            .messages(12)
            .workers(3)
            .seeds(300)
            .ignoringProperties()
            .run();
    assertThat(summary.runs()).isEqualTo(300);
  }

  @Test
  void a_handler_that_makes_its_effect_beside_the_gates_transaction_is_found_out() {
    ChaosFailure failure =
        catchThrowableOfType(
            ChaosFailure.class,
            () -> Chaos.of(world -> world.worker()
                .once(world.database().gate(), delivery -> delivery.body(), (delivery, tx) -> {
                  world.work(delivery);
                  world.database().insert(delivery.body());
                }))
                .messages(12)
                .workers(3)
                .seeds(300)
                .ignoringProperties()
                .run());
    assertThat(failure)
        .hasMessageContaining("ONE_EFFECT")
        .hasMessageContaining("-Dchaos.from=" + failure.seed())
        .hasMessageContaining("HandlerStarted");
    // Dropping what does not matter leaves a disturbance or two, or none where a message is sent twice.
    assertThat(failure.getMessage().lines().filter(line -> line.startsWith("  - "))).hasSizeLessThan(4);
    assertThat(failure.getMessage().lines().count()).isLessThan(80);
  }

  @Test
  void a_seed_that_fails_joins_the_file_and_is_replayed_first(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("seeds.txt");
    Chaos wrong =
        Chaos.of(world -> world.worker().handler(delivery -> {
          world.work(delivery);
          world.outside().call(delivery.body());
        })).seeds(300).seedFile(file).ignoringProperties();
    ChaosFailure failure = catchThrowableOfType(ChaosFailure.class, wrong::run);
    assertThat(Files.readAllLines(file)).singleElement().asString()
        .startsWith(failure.seed() + " # broken: ONE_EFFECT");

    ChaosFailure again = catchThrowableOfType(ChaosFailure.class, wrong.from(1_000_000)::run);
    assertThat(again.seed()).isEqualTo(failure.seed());
    assertThat(Files.readAllLines(file)).hasSize(1);
  }

  @Test
  void a_handler_without_a_gate_is_found_out() {
    ChaosFailure failure =
        catchThrowableOfType(
            ChaosFailure.class,
            () -> Chaos.of(world -> world.worker().handler(delivery -> {
              world.work(delivery);
              world.outside().call(delivery.body());
            })).seeds(300).ignoringProperties().run());
    assertThat(failure).hasMessageContaining("ONE_EFFECT");
  }

  @Test
  void a_handler_that_swallows_a_failure_of_its_effect_loses_it() {
    ChaosFailure failure =
        catchThrowableOfType(
            ChaosFailure.class,
            () -> Chaos.of(world -> world.worker().once(
                world.leasedGate(), delivery -> delivery.body(), (delivery, fenced) -> {
                  world.work(delivery);
                  try {
                    world.outside().call(fenced, delivery.body());
                  } catch (RuntimeException e) {
                    // "It will surely work the next time."
                  }
                })).seeds(2_000).ignoringProperties().run());
    assertThat(failure).hasMessageContaining("NO_LOSS");
  }
}
