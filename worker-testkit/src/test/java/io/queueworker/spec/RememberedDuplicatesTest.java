package io.queueworker.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.DuplicateCause;
import io.queueworker.DuplicateDiagnosis;
import io.queueworker.QueueWorker;
import io.queueworker.WorkerBuilder;
import io.queueworker.observe.WorkerEvent.Suppressed;
import io.queueworker.queue.EntryResult;
import io.queueworker.spec.Specs.Seeds;
import io.queueworker.testkit.simulation.CallKind;
import io.queueworker.testkit.simulation.Fault;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** A worker without a gate: what comes back to it is told apart by its own memory. */
class RememberedDuplicatesTest {

  private static DuplicateDiagnosis said(
      long seed, Consumer<Rig> harm, Consumer<WorkerBuilder<String>> set, Duration work) {
    DuplicateDiagnosis[] said = new DuplicateDiagnosis[1];
    Rig.run(
        seed,
        rig -> {
          harm.accept(rig);
          rig.send(1);
          WorkerBuilder<String> builder = rig.worker();
          set.accept(builder);
          QueueWorker worker = builder.handler(delivery -> rig.timing.sleep(work)).start();
          rig.awaitCount(Suppressed.class, 1);
          said[0] = rig.trail.of(Suppressed.class).getFirst().diagnosis();
          rig.awaitEmpty();
          worker.close();
          assertThat(rig.trail.of(Suppressed.class).getFirst().by()).as("a worker without a gate").isEmpty();
        });
    return said[0];
  }

  @Seeds
  void a_delete_that_was_refused_is_named_with_its_reason(long seed) {
    DuplicateDiagnosis said =
        said(
            seed,
            rig -> rig.queue.nextCall(
                CallKind.DELETE, Fault.entries(id -> Optional.of(new EntryResult.Lost("ReceiptHandleIsInvalid")))),
            builder -> {},
            Duration.ofSeconds(3));

    assertThat(said.cause()).isEqualTo(DuplicateCause.DELETE_FAILED);
    assertThat(said.facts()).contains("This worker did the work at receive count 1 in 3")
        .contains("its delete failed (ReceiptHandleIsInvalid)");
  }

  @Seeds
  void a_timeout_that_is_too_short_is_named_with_both_times(long seed) {
    DuplicateDiagnosis said =
        said(seed, rig -> {}, builder -> builder.heartbeat(false), Duration.ofSeconds(45));

    assertThat(said.cause()).isEqualTo(DuplicateCause.TIMEOUT_TOO_SHORT);
    assertThat(said.facts()).contains("This worker took 45").contains("against a visibility timeout of 30 s");
  }

  @Seeds
  void a_message_that_comes_after_its_delete_was_confirmed_is_the_services_doing(long seed) {
    DuplicateDiagnosis said =
        said(
            seed,
            rig -> {
              rig.queue.settings().redeliveriesAfterDelete(1);
              rig.timing.after(Duration.ofMinutes(1), () -> rig.queue.settings().redeliveriesAfterDelete(0));
            },
            builder -> {},
            Duration.ofSeconds(3));

    assertThat(said.cause()).isEqualTo(DuplicateCause.SERVICE_DUPLICATE);
    assertThat(said.facts()).contains("its delete was confirmed; the service delivered it again");
  }
}
