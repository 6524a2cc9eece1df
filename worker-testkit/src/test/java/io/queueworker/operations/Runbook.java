package io.queueworker.operations;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A page of {@code docs} with its headings. Stateless once read. */
record Runbook(String text) {

  static Runbook read() {
    return new Runbook(Operations.text("operations/runbook.md"));
  }

  /** The sections under a heading of the second level: each heading of the third, with its lines. */
  Map<String, List<String>> sections(String chapter) {
    Map<String, List<String>> sections = new LinkedHashMap<>();
    boolean inside = false;
    List<String> lines = new ArrayList<>();
    for (String line : text.lines().toList()) {
      if (line.startsWith("## ")) {
        inside = line.equals("## " + chapter);
      } else if (inside && line.startsWith("### ")) {
        lines = new ArrayList<>();
        sections.put(line.substring(4), lines);
      } else if (inside) {
        lines.add(line);
      }
    }
    return sections;
  }

  /** The anchors of a page, as GitHub makes them of its headings. */
  static List<String> anchors(String page) {
    List<String> anchors = new ArrayList<>();
    boolean code = false;
    for (String line : page.lines().toList()) {
      if (line.startsWith("```")) {
        code = !code;
      } else if (!code && line.matches("#+ .*")) {
        String heading = line.replaceFirst("#+ ", "").toLowerCase(Locale.ROOT);
        anchors.add(heading.replaceAll("[^\\p{L}\\p{N}_ -]", "").replace(' ', '-'));
      }
    }
    return anchors;
  }
}
