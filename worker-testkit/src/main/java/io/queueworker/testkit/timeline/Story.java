package io.queueworker.testkit.timeline;

import io.queueworker.observe.WorkerEvent.Committed;
import io.queueworker.observe.WorkerEvent.LeaseLost;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * Everything that happened to one message, in all workers. Immutable.
 *
 * @param messageId the service's message id
 * @param moments its events in order, at least one
 * @param stays its receives, in order of their starts
 */
record Story(String messageId, List<Moment> moments, List<Stay> stays) {

  Story {
    moments = List.copyOf(moments);
    stays = List.copyOf(stays);
  }

  /**
   * The story of these events.
   *
   * @param moments in order, at least one
   * @param lastSigns by worker, when it was last heard of
   */
  static Story of(String messageId, List<Moment> moments, Map<String, Long> lastSigns) {
    record Receive(String worker, int count) {}
    Map<Receive, List<Moment>> receives = new LinkedHashMap<>();
    for (Moment moment : moments) {
      receives
          .computeIfAbsent(new Receive(moment.worker(), moment.event().receiveCount()), any -> new ArrayList<>())
          .add(moment);
    }
    List<Stay> stays = new ArrayList<>();
    receives.forEach(
        (receive, own) -> stays.add(
            new Stay(
                receive.worker(),
                receive.count(),
                own,
                lastSigns.getOrDefault(receive.worker(), own.getLast().nanos()))));
    stays.sort(Comparator.comparingLong(Stay::start));
    return new Story(messageId, moments, stays);
  }

  long start() {
    return moments.getFirst().nanos();
  }

  long end() {
    return stays.stream().mapToLong(Stay::end).max().orElseThrow();
  }

  /** The workers that saw it, in order. */
  List<String> workers() {
    return moments.stream().map(Moment::worker).distinct().toList();
  }

  /** How many events of a kind there are. */
  int count(Class<?> kind) {
    return (int) moments.stream().filter(moment -> kind.isInstance(moment.event())).count();
  }

  /** All runs of handlers, in order of their starts. */
  List<Run> runs() {
    return stays.stream()
        .flatMap(stay -> stay.runs().stream())
        .sorted(Comparator.comparingLong(Run::from))
        .toList();
  }

  /** The spans in which two handlers or more could work on it, in order. */
  List<Overlap> overlaps() {
    List<Run> runs = runs();
    long[] turns =
        runs.stream().flatMapToLong(run -> LongStream.of(run.from(), run.to())).sorted().distinct().toArray();
    List<Overlap> all = new ArrayList<>();
    int from = -1;
    for (int i = 0; i < turns.length; i++) {
      // Between two turns nothing starts or ends.
      boolean shared = i + 1 < turns.length && running(runs, turns[i], turns[i + 1]).size() > 1;
      if (shared && from < 0) {
        from = i;
      } else if (!shared && from >= 0) {
        all.add(overlap(runs, turns[from], turns[i]));
        from = -1;
      }
    }
    return all;
  }

  private Overlap overlap(List<Run> runs, long from, long to) {
    List<String> workers =
        runs.stream().filter(run -> run.from() < to && run.to() > from).map(Run::worker).distinct().toList();
    return new Overlap(messageId, workers, Duration.ofNanos(from), Duration.ofNanos(to));
  }

  private static List<Run> running(List<Run> runs, long from, long to) {
    return runs.stream().filter(run -> run.from() <= from && run.to() >= to).toList();
  }

  /** How much there is to see: what had two workers at once comes before what lost a lease, and that before what came twice. */
  int interest() {
    return (overlaps().isEmpty() ? 0 : 4) + (count(LeaseLost.class) > 0 ? 2 : 0) + (stays.size() > 1 ? 1 : 0);
  }

  /** In one sentence. */
  String summary() {
    StringBuilder words =
        new StringBuilder(Plain.count(stays.size(), "receive")).append(" by ")
            .append(Plain.count(workers().size(), "worker"))
            .append(", ")
            .append(Plain.count(runs().size(), "run"))
            .append(" of a handler");
    moments.stream()
        .filter(moment -> moment.is(Committed.class))
        .forEach(
            moment -> words.append(", committed by ")
                .append(moment.worker())
                .append(" at ")
                .append(Plain.seconds(moment.nanos() - start())));
    double shared = overlaps().stream().mapToDouble(Overlap::seconds).sum();
    words.append(
        overlaps().isEmpty()
            ? "; never two at once."
            : "; two could work on it for " + Plain.seconds(Math.round(shared * 1e9)) + ".");
    return words.toString();
  }
}
