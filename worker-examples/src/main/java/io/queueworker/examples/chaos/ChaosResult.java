package io.queueworker.examples.chaos;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * All that is to be said about one run. Immutable.
 *
 * @param options what was asked for
 * @param audit what the database and the queue say
 * @param messages how many messages were sent; some tasks are sent twice
 * @param killed how many workers were killed, by the operating system's word
 * @param kills what the parent did
 * @param freezes what the parent did
 * @param reports what the workers reported
 * @param trespasses what the strict endpoint counted; none on ElasticMQ, which does not tell
 * @param workerFailed whether a worker ended by itself, or did not close when told to
 * @param took how long the run took
 */
record ChaosResult(
    ChaosOptions options,
    ChaosAudit audit,
    int messages,
    int killed,
    List<Kill> kills,
    List<Freeze> freezes,
    List<Report> reports,
    List<Trespass> trespasses,
    boolean workerFailed,
    Duration took) {

  /** Whether nothing was lost, done twice or left, although everything was done to the workers that was asked for. */
  boolean isClean() {
    return audit.isClean() && killed >= options.kills() && freezes.size() >= options.freezes() && !workerFailed;
  }

  /** One line for programs to read. */
  String toJson() {
    Recovery recovery = Recovery.of(reports, kills);
    ObjectNode json =
        new ObjectMapper()
            .createObjectNode()
            .put("example", "chaos")
            .put("queue", options.queue())
            .put("control", options.control().word())
            .put("messages", messages)
            .put("kills", killed)
            .put("freezes", freezes.size());
    json.setAll(audit.toJson());
    json.put("redeliveries", reports.stream().filter(report -> isRedelivery(report)).count())
        .put("workersFailed", workerFailed)
        .put("killsWhileFrozen", kills.stream().filter(Kill::frozen).count())
        .put("inFlightAtKills", recovery.inFlight())
        .put("committedAndNotDeletedAtKills", recovery.undeleted())
        .put("gapsNoticed", reports.stream().filter(report -> report.step() == Step.GAP).count())
        .put("leasesLost", reports.stream().filter(report -> report.step() == Step.LOST).count());
    json.set("killsRightAfter", aims(kills.stream().map(Kill::aim).toList()));
    json.set("freezesRightAfter", aims(freezes.stream().map(Freeze::aim).toList()));
    json.set("recoverySeconds", recovery.toJson());
    json.set("recoverySecondsAfterAnotherLoss", recovery.laterToJson());
    if (options.queue().equals("strict")) {
      ObjectNode verdicts = json.putObject("trespasses");
      for (Trespass.Verdict verdict : Trespass.Verdict.values()) {
        verdicts.put(
            verdict.word(),
            trespasses.stream().filter(trespass -> trespass.verdict(reports, freezes) == verdict).count());
      }
    }
    return json.put("visibilitySeconds", ChaosOptions.VISIBILITY.toSeconds())
        .put("workers", options.workers())
        .put("seed", options.seed())
        .put("seconds", took.toSeconds())
        .toString();
  }

  private static boolean isRedelivery(Report report) {
    return report.step() == Step.RECEIVED && report.number() > 1;
  }

  private static ObjectNode aims(List<Optional<Step>> aims) {
    Map<String, Integer> counts = new TreeMap<>();
    for (Optional<Step> aim : aims) {
      counts.merge(aim.map(Step::word).orElse("a random moment"), 1, Integer::sum);
    }
    ObjectNode json = new ObjectMapper().createObjectNode();
    counts.forEach(json::put);
    return json;
  }
}
