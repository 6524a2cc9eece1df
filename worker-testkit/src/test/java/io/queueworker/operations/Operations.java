package io.queueworker.operations;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The files for operators, {@code docs/operations}. Stateless. */
final class Operations {

  private Operations() {}

  /** The directory, wherever tests run. */
  static Path directory() {
    return docs().resolve("operations");
  }

  /** The text of a file, named from {@code docs} on. */
  static String text(String file) {
    try {
      return Files.readString(docs().resolve(file));
    } catch (IOException e) {
      throw new UncheckedIOException("docs/" + file + " cannot be read", e);
    }
  }

  /** The alerts, in the order of the file. */
  static List<Alert> alerts() {
    List<Alert> alerts = new ArrayList<>();
    for (JsonNode group : yaml("operations/alerts.yml").get("groups")) {
      group.get("rules").forEach(rule -> alerts.add(Alert.of(rule)));
    }
    return alerts;
  }

  /** The unit tests of the alerts. */
  static JsonNode alertTests() {
    return yaml("operations/alerts-test.yml").get("tests");
  }

  /** The dashboard. */
  static JsonNode dashboard() {
    try {
      return new JsonMapper().readTree(text("operations/dashboard.json"));
    } catch (IOException e) {
      throw new UncheckedIOException("the dashboard is no JSON", e);
    }
  }

  private static JsonNode yaml(String file) {
    try {
      return new YAMLMapper().readTree(text(file));
    } catch (IOException e) {
      throw new UncheckedIOException("docs/" + file + " is no YAML", e);
    }
  }

  private static Path docs() {
    return Stream.of("../docs", "docs").map(Path::of).filter(Files::exists).findFirst().orElseThrow();
  }
}
