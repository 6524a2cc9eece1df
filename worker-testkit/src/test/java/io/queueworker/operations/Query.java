package io.queueworker.operations;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A PromQL expression, as far as it can be held against the meters that exist: the names it reads, the labels and values it
 * selects, and the labels it groups by.
 */
record Query(String text) {

  private static final Pattern SELECTOR = Pattern.compile("\\b(queueworker_\\w+)(?:\\{([^}]*)})?");
  private static final Pattern MATCHER = Pattern.compile("(\\w+)\\s*(=~|!~|!=|=)\\s*\"([^\"]*)\"");
  private static final Pattern GROUPING = Pattern.compile("\\b(?:by|on|without|ignoring)\\s*\\(([^)]*)\\)");

  /** The names of the meters it reads. */
  Set<String> names() {
    Set<String> names = new TreeSet<>();
    SELECTOR.matcher(text).results().forEach(found -> names.add(found.group(1)));
    return names;
  }

  /** The meters it reads, each with what it selects of it. */
  List<String> selectors() {
    return SELECTOR.matcher(text).results().map(MatchResult::group).toList();
  }

  /** What is wrong with it when these meters exist, with their labels and the values of those; empty when nothing is. */
  List<String> problems(Map<String, Map<String, Set<String>>> meters) {
    List<String> problems = new ArrayList<>();
    Set<String> labels = new TreeSet<>();
    Matcher selectors = SELECTOR.matcher(text);
    while (selectors.find()) {
      Map<String, Set<String>> known = meters.get(selectors.group(1));
      if (known == null) {
        problems.add("no meter is named " + selectors.group(1));
      } else {
        labels.addAll(known.keySet());
        matchers(selectors, known, problems);
      }
    }
    Matcher groupings = GROUPING.matcher(text);
    while (groupings.find()) {
      for (String label : groupings.group(1).split(",", -1)) {
        if (!label.isBlank() && !labels.contains(label.strip())) {
          problems.add("none of its meters has the label " + label.strip());
        }
      }
    }
    return problems;
  }

  private static void matchers(Matcher selector, Map<String, Set<String>> known, List<String> problems) {
    if (selector.group(2) == null) {
      return;
    }
    Matcher matchers = MATCHER.matcher(selector.group(2));
    while (matchers.find()) {
      String label = matchers.group(1);
      if (!known.containsKey(label)) {
        problems.add(selector.group(1) + " has no label " + label);
        continue;
      }
      for (String value : matchers.group(3).split("\\|", -1)) {
        // A variable of the dashboard stands for values of any worker.
        if (!value.startsWith("$") && !known.get(label).contains(value)) {
          problems.add(selector.group(1) + " has no " + label + " " + value);
        }
      }
    }
  }
}
