package io.queueworker;

import static io.queueworker.timing.PlainDuration.text;

import io.queueworker.Health.DrainProgress;
import io.queueworker.Health.Status;
import io.queueworker.HealthReason.Kind;
import io.queueworker.observe.RecentTrouble;
import io.queueworker.observe.RecentTrouble.Trouble;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds what is wrong with a worker at one moment. For one look. */
final class HealthReasons {

  private static final Duration HEARTBEAT_STOPPED = Duration.ofSeconds(10);
  private static final Duration SHORTEST_LATE_BEAT = Duration.ofSeconds(1);
  private static final Duration LONGEST_LATE_BEAT = Duration.ofMinutes(1);

  private final Pipeline pipeline;
  private final WorkerSettings settings;
  private final long now;
  private final RecentTrouble trouble;
  private final List<HealthReason> found = new ArrayList<>();

  /** Looks at lease time {@code now}. */
  HealthReasons(Pipeline pipeline, WorkerSettings settings, long now) {
    this.pipeline = pipeline;
    this.settings = settings;
    this.now = now;
    this.trouble = pipeline.trouble;
  }

  /** When a beat is late: a tenth of the visibility timeout after it was due, which leaves three quarters of its spare time. */
  static Duration lateBeat(Duration visibility) {
    Duration tenth = visibility.dividedBy(10);
    Duration bounded = tenth.compareTo(LONGEST_LATE_BEAT) < 0 ? tenth : LONGEST_LATE_BEAT;
    return bounded.compareTo(SHORTEST_LATE_BEAT) > 0 ? bounded : SHORTEST_LATE_BEAT;
  }

  /** The reasons, the worst first. */
  List<HealthReason> of(WorkerState state, HealthLook.Beats beats, Optional<DrainProgress> drain) {
    switch (state) {
      case NEW -> add(Kind.NOT_STARTED, Status.DOWN, "start() was not called");
      case RUNNING -> {
        if (!pipeline.hasBegun()) {
          add(Kind.NOT_STARTED, Status.DOWN, "start() checks the queue and the gate; see what it logs or throws");
          break;
        }
        receiving();
        working(beats);
      }
      case DRAINING -> {
        add(
            Kind.DRAINING,
            Status.DEGRADED,
            "close() was called; "
                + drain
                    .map(
                        d -> d.left() + " of " + d.inFlight() + " in flight are left, and " + text(d.budgetLeft())
                            + " to finish them")
                    .orElse("nothing had begun"));
        if (pipeline.hasBegun()) {
          working(beats);
        }
      }
      case CLOSED -> add(Kind.CLOSED, Status.DOWN, "it closed, or its start failed; build a new worker");
    }
    found.sort(Comparator.comparing(HealthReason::status).reversed());
    return List.copyOf(found);
  }

  private void receiving() {
    Optional<Trouble> failed = trouble.receives();
    pipeline.pollLoop
        .watch()
        .due(now)
        .filter(due -> due.compareTo(settings.healthDownAfter()) >= 0)
        .ifPresent(
            due -> add(
                Kind.NO_RECEIVE,
                Status.DOWN,
                "a receive has been due for " + text(due) + " and none completed; healthDownAfter is "
                    + text(settings.healthDownAfter())
                    + failed.map(t -> ". The latest failed: " + t.latest()).orElse("")
                    + ". Check the queue and the network, then restart the worker"));
    failed.ifPresent(
        t -> add(
            Kind.RECEIVES_FAIL,
            Status.DEGRADED,
            t.count() + " receives in a row failed since " + t.since() + ", the latest with " + t.latest()
                + ". Check that the queue exists and can be reached, and the credentials"));
    List<String> hung = pipeline.pollLoop.hung();
    if (!hung.isEmpty()) {
      add(
          Kind.RECEIVES_HANG,
          Status.DEGRADED,
          "receives hang past their deadline on " + names(hung)
              + ". Check the network, and set an API call timeout above pollWait on the receive client");
    }
    Map<PauseReason, String> pauses = pipeline.pauses.reasons();
    if (pauses.containsKey(PauseReason.BY_HAND)) {
      add(Kind.PAUSED_BY_HAND, Status.DEGRADED, "pause() was called. Call resume() to go on");
    }
  }

  private void working(HealthLook.Beats beats) {
    Duration still = Duration.ofNanos(pipeline.heartbeat.sinceTick(now));
    if (still.compareTo(HEARTBEAT_STOPPED) >= 0) {
      add(
          Kind.HEARTBEAT_STOPPED,
          Status.DOWN,
          "the heartbeat has not ticked for " + text(still)
              + ". Look for an inline listener that blocks, and whether the process gets a processor");
    }
    if (beats.late() > 0) {
      add(
          Kind.BEATS_LATE,
          Status.DEGRADED,
          beats.late() + " extensions are late, the latest by " + text(beats.latest())
              + ". Their messages come again when their leases run out; check the network and sqs:ChangeMessageVisibility");
    }
    trouble.losses(pipeline.timing.nanoTime())
        .ifPresent(
            t -> add(
                Kind.LEASES_LOST,
                Status.DEGRADED,
                t.count() + " leases were lost since " + t.since() + ", the latest of " + t.latest()
                    + ". The log says of each what to change"));
    stuck();
    outside();
    failing();
    bugs();
  }

  private void stuck() {
    List<String> stuck = pipeline.threads.stuck();
    if (!stuck.isEmpty()) {
      boolean all = stuck.size() >= settings.maxConcurrency();
      add(
          Kind.HANDLERS_STUCK,
          all ? Status.DOWN : Status.DEGRADED,
          stuck.size() + " of " + settings.maxConcurrency()
              + " permits are held by handlers that were told to end and have not: "
              + names(stuck) + ". Find in a thread dump where they wait"
              + (all ? ", and restart the worker: it can take no message" : ""));
    }
  }

  private void outside() {
    Map<PauseReason, String> pauses = pipeline.pauses.reasons();
    Optional.ofNullable(pauses.get(PauseReason.GATE_UNAVAILABLE))
        .ifPresent(
            why -> add(
                Kind.GATE_UNAVAILABLE,
                Status.DEGRADED,
                "the gate's store cannot be reached: " + why + ". Check the database; the worker goes on by itself"));
    Optional.ofNullable(pauses.get(PauseReason.BREAKER_OPEN))
        .ifPresent(
            why -> add(
                Kind.BREAKER_OPEN,
                Status.DEGRADED,
                pipeline.breakerWords().orElse(why)
                    + ". Check what the handlers depend on; the worker goes on by itself"));
    List<String> denied = List.copyOf(pipeline.permissions.needed());
    if (!denied.isEmpty()) {
      add(
          Kind.PERMISSION_DENIED,
          Status.DEGRADED,
          "missing " + names(denied) + ". Grant it to the worker's role; the worker goes on by itself");
    }
  }

  private void failing() {
    long nanoTime = pipeline.timing.nanoTime();
    trouble.deletes(nanoTime)
        .ifPresent(
            t -> add(
                Kind.DELETES_FAIL,
                Status.DEGRADED,
                t.count() + " deletes in a row failed since " + t.since() + ", the latest with " + t.latest()
                    + ". What is done comes again; check the network and sqs:DeleteMessage"));
    trouble.rejects(nanoTime)
        .ifPresent(
            t -> add(
                Kind.REJECTS_FAIL,
                Status.DEGRADED,
                t.count() + " sends to the dead-letter queue in a row failed since " + t.since() + ", the latest with "
                    + t.latest() + ". Check the redrive policy and sqs:SendMessage"));
  }

  private void bugs() {
    List<String> behind = pipeline.listeners.behind();
    if (!behind.isEmpty()) {
      add(
          Kind.EVENTS_DROPPED,
          Status.DEGRADED,
          "listeners are too far behind and miss events, " + pipeline.listeners.dropped() + " so far: " + names(behind)
              + ". Make them faster, or let them hand over their work");
    }
    trouble.bugs(pipeline.timing.nanoTime())
        .ifPresent(
            t -> add(
                Kind.INTERNAL_ERROR,
                Status.DEGRADED,
                "the worker's own code failed " + t.count() + " times since " + t.since() + ", the latest at "
                    + t.latest()
                    + ". Please report it with the log line"));
  }

  private static String names(List<String> names) {
    int most = 10;
    return names.size() <= most
        ? String.join(", ", names)
        : String.join(", ", names.subList(0, most)) + " and " + (names.size() - most) + " more";
  }

  private void add(Kind kind, Status status, String words) {
    found.add(new HealthReason(kind, status, words));
  }
}
