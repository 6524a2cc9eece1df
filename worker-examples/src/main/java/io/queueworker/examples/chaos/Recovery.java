package io.queueworker.examples.chaos;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * How long the messages of killed workers waited: for each message that a worker had in flight when it was killed, the time
 * from the kill until another worker started it again, recognised it as done, or held it back. Immutable.
 *
 * @param inFlight how many messages the killed had in flight, by what they had reported; among them are some whose delete
 *     had been sent, and which therefore never come again
 * @param undeleted how many of these were committed and not yet deleted, by the same reports
 * @param seconds the times of those that came again with the next receive, ascending
 * @param laterSeconds the times of those whose next receive was lost too, ascending: it went to a poll of a worker that was
 *     dead or stood still by then, or its worker was killed before it started the message
 */
record Recovery(int inFlight, int undeleted, List<Double> seconds, List<Double> laterSeconds) {

  Recovery {
    seconds = List.copyOf(seconds);
    laterSeconds = List.copyOf(laterSeconds);
  }

  /** Works it out from what was read. */
  static Recovery of(List<Report> reports, List<Kill> kills) {
    Map<String, List<Report>> byWorker = new HashMap<>();
    Map<String, List<Report>> byMessage = new HashMap<>();
    // Each worker's reports were read by a thread of its own.
    for (Report report : reports.stream().sorted(Comparator.comparing(Report::atNanos, Recovery::compare)).toList()) {
      if (!report.messageId().equals("-")) {
        byWorker.computeIfAbsent(report.worker(), worker -> new ArrayList<>()).add(report);
        byMessage.computeIfAbsent(report.messageId(), message -> new ArrayList<>()).add(report);
      }
    }
    int inFlight = 0;
    int undeleted = 0;
    List<Double> seconds = new ArrayList<>();
    List<Double> laterSeconds = new ArrayList<>();
    for (Kill kill : kills) {
      for (Report last : lastOfEach(byWorker.getOrDefault(kill.worker(), List.of())).values()) {
        List<Report> all = byMessage.getOrDefault(last.messageId(), List.of());
        if (isEnd(last.step()) || wasTakenBefore(kill, all)) {
          continue;
        }
        inFlight++;
        undeleted += last.step() == Step.COMMITTED || last.step() == Step.SUPPRESSED ? 1 : 0;
        restart(kill, all, seconds, laterSeconds);
      }
    }
    Collections.sort(seconds);
    Collections.sort(laterSeconds);
    return new Recovery(inFlight, undeleted, seconds, laterSeconds);
  }

  private static int compare(long oneNanos, long otherNanos) {
    return Long.signum(oneNanos - otherNanos);
  }

  /** The last step of each message, but for extensions, which go on beside the others. */
  private static Map<String, Report> lastOfEach(List<Report> reports) {
    Map<String, Report> last = new HashMap<>();
    for (Report report : reports) {
      if (report.step() != Step.EXTENDING) {
        last.put(report.messageId(), report);
      }
    }
    return last;
  }

  private static boolean isEnd(Step step) {
    return step == Step.DELETED || step == Step.RELEASED || step == Step.LOST;
  }

  /** Whether another worker had the message since: the killed one stood still, and its lease had run out before. */
  private static boolean wasTakenBefore(Kill kill, List<Report> all) {
    boolean own = false;
    boolean taken = false;
    for (Report report : all) {
      if (report.step() == Step.RECEIVED && report.atNanos() - kill.atNanos() <= 0) {
        own |= report.worker().equals(kill.worker());
        taken = own && !report.worker().equals(kill.worker());
      }
    }
    return taken;
  }

  private static void restart(Kill kill, List<Report> all, List<Double> seconds, List<Double> laterSeconds) {
    long receives = 0; // the receive count of the killed worker's receive
    Map<String, Long> since = new HashMap<>(); // those of the others after the kill
    for (Report report : all) {
      boolean own = report.worker().equals(kill.worker());
      if (report.step() == Step.RECEIVED && own) {
        receives = report.number();
      } else if (report.atNanos() - kill.atNanos() > 0 && !own) {
        if (report.step() == Step.RECEIVED) {
          since.put(report.worker(), report.number());
        } else if (isStart(report.step()) && since.containsKey(report.worker())) {
          boolean next = Objects.equals(since.get(report.worker()), receives + 1);
          (next ? seconds : laterSeconds).add((report.atNanos() - kill.atNanos()) / 1e9);
          return;
        }
      }
    }
  }

  private static boolean isStart(Step step) {
    return step == Step.STARTED || step == Step.SUPPRESSED || step == Step.HELD_BACK;
  }

  /** The figures of those that came with the next receive. */
  ObjectNode toJson() {
    return json(seconds);
  }

  /** The figures of the others. */
  ObjectNode laterToJson() {
    return json(laterSeconds);
  }

  private static ObjectNode json(List<Double> times) {
    ObjectNode json = new ObjectMapper().createObjectNode().put("messages", times.size());
    if (!times.isEmpty()) {
      json.put("p50", percentile(times, 0.5)).put("p90", percentile(times, 0.9)).put("max", percentile(times, 1));
    }
    return json;
  }

  private static double percentile(List<Double> times, double part) {
    int index = (int) Math.ceil(part * times.size()) - 1;
    return Math.round(times.get(Math.max(0, index)) * 100) / 100.0;
  }
}
