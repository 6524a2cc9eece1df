package io.queueworker.benchmarks;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;

/** The results of a scenario as JSON: every value of every round, and the ratios. Stateless. */
final class Report {

  private static final ObjectMapper JSON = new ObjectMapper();

  private Report() {}

  /** All parts of it. */
  static ObjectNode of(Scenario scenario, String machine, List<Summary> summaries) {
    ObjectNode report = JSON.createObjectNode().put("scenario", scenario.name()).put("machine", machine);
    ArrayNode parts = report.putArray("parts");
    for (Summary summary : summaries) {
      ObjectNode part = parts.addObject().put("title", summary.part().title());
      part.set("plan", JSON.valueToTree(summary.part().plan()));
      part.put("reference", summary.part().reference());
      ObjectNode contenders = part.putObject("contenders");
      for (String contender : summary.part().contenders()) {
        fill(contenders.putObject(contender), summary, contender);
      }
    }
    return report;
  }

  private static void fill(ObjectNode node, Summary summary, String contender) {
    for (Figure figure : summary.part().figures()) {
      ObjectNode values = node.putObject(figure.name().toLowerCase(Locale.ROOT));
      ArrayNode rounds = values.putArray("rounds");
      summary.values(contender, figure).forEach(rounds::add);
      summary.ratio(contender, figure).ifPresent(ratio -> ratio(values.putObject("ratio"), ratio));
      summary.peerRatio(contender, figure).ifPresent(ratio -> ratio(values.putObject("peerRatio"), ratio));
    }
    ArrayNode doubts = node.putArray("void");
    summary.doubts(contender).forEach(doubts::add);
  }

  private static void ratio(ObjectNode node, Ratio ratio) {
    node.put("mean", ratio.mean()).put("rounds", ratio.rounds());
    if (ratio.rounds() > 1) {
      node.put("low", ratio.low()).put("high", ratio.high());
    }
  }
}
