package io.queueworker.examples;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queueworker.observe.WorkerEvent.Extended;
import io.queueworker.observe.WorkerEvent.HandlerStarted;
import io.queueworker.testkit.Trail;
import io.queueworker.testkit.timeline.Overlap;
import java.util.List;

/**
 * What one part of {@link FortyFiveSecondTaskMain} came to. Immutable.
 *
 * @param runs how often a handler started, by the workers' events
 * @param effects rows of the event, by the database
 * @param extensions extensions that succeeded, by the workers' events
 * @param overlapSeconds how long two handlers ran at once, by the workers' events
 * @param suppressed redeliveries that the gate let do nothing, by its own table
 */
record PartFigures(int runs, int effects, int extensions, double overlapSeconds, int suppressed) {

  /** Counts the events of a part. */
  static PartFigures of(Trail trail, List<Overlap> overlaps, int effects, int suppressed) {
    double overlap = overlaps.stream().mapToDouble(Overlap::seconds).sum();
    return new PartFigures(
        trail.count(HandlerStarted.class),
        effects,
        trail.count(Extended.class),
        Math.round(overlap * 100) / 100.0,
        suppressed);
  }

  /** Whether one run made one effect and was kept by extensions. */
  boolean isOneRun() {
    return runs == 1 && effects == 1 && extensions > 0 && suppressed == 0;
  }

  /** Whether two runs, for a time at once, made one effect. */
  boolean isTwoRunsWithOneEffect() {
    return runs == 2 && effects == 1 && overlapSeconds > 0 && suppressed == 1;
  }

  /** For programs to read. */
  ObjectNode toJson() {
    return new ObjectMapper()
        .createObjectNode()
        .put("runs", runs)
        .put("effects", effects)
        .put("extensions", extensions)
        .put("overlapSeconds", overlapSeconds)
        .put("suppressed", suppressed);
  }
}
