package io.queueworker.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.QueueWorker;
import io.queueworker.spec.Specs.Seeds;
import io.queueworker.testkit.simulation.CallKind;
import io.queueworker.testkit.simulation.Fault;
import io.queueworker.testkit.simulation.SimulatedCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** How many calls a worker has under way at once: another one only where it saves time. */
class FewThreadsTest {

  /** The most calls of one kind that were under way at once, when an answer takes as long as its request. */
  private static int mostAtOnce(Rig rig, CallKind kind) {
    record Change(Duration at, int by) {}
    List<Change> changes = new ArrayList<>();
    for (SimulatedCall call : rig.queue.calls(kind)) {
      Duration arrived = call.arrivedAt().orElseThrow();
      changes.add(new Change(call.sentAt(), 1));
      changes.add(new Change(arrived.plus(arrived.minus(call.sentAt())), -1));
    }
    // What ends when another begins is not beside it.
    changes.sort((a, b) -> a.at.equals(b.at) ? a.by - b.by : a.at.compareTo(b.at));
    int now = 0;
    int most = 0;
    for (Change change : changes) {
      now += change.by;
      most = Math.max(most, now);
    }
    return most;
  }

  private static void backlog(Rig rig, Duration roundTrip) {
    rig.queue.latency(roundTrip.dividedBy(2), roundTrip.dividedBy(2));
    rig.send(600);
    QueueWorker worker = rig.worker().handler(delivery -> {}).start();
    rig.awaitEmpty();
    worker.close();
    rig.checkRules();
  }

  @Seeds
  void a_service_that_answers_at_once_is_asked_by_two_pollers_and_two_senders(long seed) {
    Rig.run(
        seed,
        rig -> {
          backlog(rig, Duration.ofMillis(1));
          assertThat(mostAtOnce(rig, CallKind.RECEIVE)).isEqualTo(2);
          assertThat(mostAtOnce(rig, CallKind.DELETE)).isBetween(1, 2);
        });
  }

  @Seeds
  void a_service_that_is_far_away_is_asked_by_several_at_once(long seed) {
    Rig.run(
        seed,
        rig -> {
          backlog(rig, Duration.ofMillis(40));
          assertThat(mostAtOnce(rig, CallKind.RECEIVE)).isGreaterThan(2);
          assertThat(mostAtOnce(rig, CallKind.DELETE)).isGreaterThan(2);
        });
  }

  @Seeds
  void a_delete_that_hangs_holds_up_no_other(long seed) {
    Rig.run(
        seed,
        rig -> {
          rig.queue.nextCall(CallKind.DELETE, Fault.loseReply());
          rig.send(10);
          QueueWorker worker = rig.worker().handler(delivery -> {}).start();
          rig.timing.await("the first delete", () -> !rig.queue.calls(CallKind.DELETE).isEmpty(),
              Duration.ofSeconds(5));
          rig.send(1);
          rig.timing.await("the delete beside it", () -> rig.queue.deleted().size() == 11, Duration.ofSeconds(1));
          worker.close();
          rig.checkRules();
        });
  }
}
