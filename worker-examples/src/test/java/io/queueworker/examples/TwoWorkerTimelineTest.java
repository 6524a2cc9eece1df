package io.queueworker.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.DuplicateCause;
import io.queueworker.DuplicateDiagnosis;
import io.queueworker.LossReason;
import io.queueworker.observe.EventContext;
import io.queueworker.observe.WorkerEvent;
import io.queueworker.observe.WorkerEvent.Committed;
import io.queueworker.observe.WorkerEvent.ExtendFailed;
import io.queueworker.observe.WorkerEvent.HandlerReturned;
import io.queueworker.observe.WorkerEvent.HandlerStarted;
import io.queueworker.observe.WorkerEvent.LeaseLost;
import io.queueworker.observe.WorkerEvent.Received;
import io.queueworker.observe.WorkerEvent.Suppressed;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Time lines and figures of trails whose times are given. */
class TwoWorkerTimelineTest {

  private static final DuplicateDiagnosis WHY = new DuplicateDiagnosis(DuplicateCause.UNKNOWN, "Nothing is known.");
  private static final Duration THIRTY = Duration.ofSeconds(30);

  private final EventTrail trail = new EventTrail();

  @Test
  void two_runs_at_once_are_marked_from_the_second_start_to_the_first_end() {
    hear("a", 0, new Received("m", 1, THIRTY));
    hear("a", 0, new HandlerStarted("m", 1));
    hear("a", 33, new LeaseLost("m", 1, LossReason.EXPIRED, ""));
    hear("b", 35, new Received("m", 2, THIRTY));
    hear("b", 36, new HandlerStarted("m", 2));
    hear("b", 80, new Suppressed("m", 2, Optional.empty(), WHY));
    hear("a", 45, new HandlerReturned("m", 1, Duration.ofSeconds(45))); // heard late, and yet in its place
    hear("a", 46, new Committed("m", 1, Duration.ofSeconds(46)));

    List<String> lines = new TwoWorkerTimeline(trail.inOrder()).lines();

    assertThat(lines).filteredOn(line -> line.contains("##")).containsExactly(
        "  36.00 ## " + " ".repeat(46) + "handler starts",
        "        ## ---- two workers work on one event ----",
        "  45.00 ## handler returns after 45.00 s",
        "        ## ---- end of the overlap: 9.00 s ----");
    assertThat(lines.getLast()).startsWith("  80.00")
        .endsWith("SUPPRESSED, no second effect: somebody has committed this key");
    assertThat(PartFigures.of(trail.inOrder(), 1, 1)).isEqualTo(new PartFigures(2, 1, 0, 9.0, 1));
  }

  @Test
  void runs_one_after_the_other_are_no_overlap() {
    hear("a", 0, new HandlerStarted("m", 1));
    hear("a", 45, new HandlerReturned("m", 1, Duration.ofSeconds(45)));
    hear("b", 46, new HandlerStarted("m", 2));
    hear("b", 91, new Suppressed("m", 2, Optional.empty(), WHY));

    assertThat(new TwoWorkerTimeline(trail.inOrder()).lines()).noneMatch(line -> line.contains("##"));
    assertThat(PartFigures.of(trail.inOrder(), 1, 1).isTwoRunsWithOneEffect()).isFalse();
  }

  @Test
  void of_failures_in_a_row_the_first_and_the_last_are_shown() {
    hear("a", 0, new HandlerStarted("m", 1));
    for (int second = 20; second < 30; second++) {
      hear("a", second, new ExtendFailed("m", 1, "why", Duration.ofSeconds(33 - second)));
    }
    hear("a", 33, new LeaseLost("m", 1, LossReason.EXPIRED, ""));

    assertThat(new TwoWorkerTimeline(trail.inOrder()).lines())
        .filteredOn(line -> line.contains("FAILED"))
        .containsExactly("  20.00    EXTENSION FAILED, held for 13.00 s",
            "  29.00    EXTENSION FAILED, held for 4.00 s (try 10)");
  }

  @Test
  void two_effects_or_a_second_run_are_told_from_success() {
    assertThat(new PartFigures(1, 1, 3, 0, 0).isOneRun()).isTrue();
    assertThat(new PartFigures(1, 2, 3, 0, 0).isOneRun()).isFalse();
    assertThat(new PartFigures(2, 1, 3, 0, 1).isOneRun()).isFalse();
    assertThat(new PartFigures(2, 1, 3, 9, 1).isTwoRunsWithOneEffect()).isTrue();
    assertThat(new PartFigures(2, 2, 3, 9, 0).isTwoRunsWithOneEffect()).isFalse();
    assertThat(new PartFigures(2, 0, 3, 9, 1).isTwoRunsWithOneEffect()).isFalse();
  }

  private void hear(String worker, long second, WorkerEvent event) {
    trail.onEvent(new EventContext("events", worker, Instant.EPOCH, second * 1_000_000_000), event);
  }
}
