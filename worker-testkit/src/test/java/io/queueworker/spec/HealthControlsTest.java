package io.queueworker.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.HealthReason.Kind;
import io.queueworker.QueueWorker;
import io.queueworker.patched.PatchedCore;
import io.queueworker.testkit.simulation.CallKind;
import io.queueworker.testkit.simulation.Fault;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Health is wrong without the guards that it relies on. */
class HealthControlsTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  /** The kinds of reasons in the minute after handlers that held every permit for ten minutes have ended. */
  static final class FullForLong implements Callable<String> {
    @Override
    public String call() {
      Set<Kind> seen = new TreeSet<>();
      Rig.run(
          1,
          rig -> {
            rig.send(1);
            QueueWorker worker =
                rig.worker()
                    .maxConcurrency(1)
                    .handler(delivery -> rig.timing.sleep(Duration.ofMinutes(10)))
                    .start();
            rig.timing.advance(Duration.ofSeconds(599));
            for (int tenth = 0; tenth < 600; tenth++) {
              rig.timing.advance(Duration.ofMillis(100));
              seen.addAll(HealthReceivingTest.kinds(worker));
            }
            worker.close();
          });
      return seen.toString();
    }
  }

  /** The kinds of reasons while no extension succeeds and the lease is not lost yet. */
  static final class NoBeatSucceeds implements Callable<String> {
    @Override
    public String call() {
      Set<Kind> seen = new TreeSet<>();
      Rig.run(
          1,
          rig -> {
            rig.queue.visibility(Duration.ofMinutes(1)).onCall(CallKind.EXTEND, call -> Fault.unavailable());
            rig.send(1);
            QueueWorker worker =
                rig.worker().pollWait(SECOND).handler(delivery -> rig.timing.sleep(Duration.ofMinutes(2))).start();
            for (int second = 0; second < 50; second++) {
              rig.timing.advance(SECOND);
              seen.addAll(HealthReceivingTest.kinds(worker));
            }
            worker.close();
          });
      return seen.toString();
    }
  }

  @Test
  void a_worker_that_was_full_for_long_is_up_when_it_receives_again() {
    assertThat(new FullForLong().call()).isEqualTo("[]");
  }

  @Test
  void a_health_that_forgets_that_none_was_due_takes_it_for_down() throws Exception {
    PatchedCore forgetful =
        PatchedCore.with(
            "io.queueworker.receive.ReceiveWatch", "if (isStill(now) || !isDue()) {", "if (isStill(now)) {");
    assertThat(forgetful.create(FullForLong.class, Callable.class).call()).isEqualTo("[NO_RECEIVE]");
  }

  @Test
  void beats_that_do_not_succeed_are_late() {
    assertThat(new NoBeatSucceeds().call()).isEqualTo("[BEATS_LATE]");
  }

  @Test
  void beats_whose_retries_count_as_due_anew_are_never_late() throws Exception {
    PatchedCore patient =
        PatchedCore.with("io.queueworker.lease.BeatSchedule", "return now - dueAt;", "return now - nextBeat;");
    assertThat(patient.create(NoBeatSucceeds.class, Callable.class).call()).isEqualTo("[]");
  }
}
