package io.queueworker.operations;

import com.fasterxml.jackson.databind.JsonNode;

/** One rule of {@code alerts.yml}. */
record Alert(String name, String query, String severity, String summary, String runbook) {

  static Alert of(JsonNode rule) {
    return new Alert(
        rule.path("alert").asText(),
        rule.path("expr").asText(),
        rule.path("labels").path("severity").asText(),
        rule.path("annotations").path("summary").asText(),
        rule.path("annotations").path("runbook_url").asText());
  }
}
