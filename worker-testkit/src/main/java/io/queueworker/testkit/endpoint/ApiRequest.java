package io.queueworker.testkit.endpoint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A call of the JSON protocol, read: the operation from the header {@code X-Amz-Target}, its parameters from the body.
 * Immutable as far as nobody changes the parameters.
 *
 * @param name the operation's name in the API
 * @param parameters the body, or one entry of a batch
 */
record ApiRequest(String name, ObjectNode parameters) {

  private static final String TARGET_PREFIX = "AmazonSQS.";
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * Reads a call. Blocks until all of it is here; a body that is no JSON object is left out, so that what is needed is
   * missing.
   *
   * @throws IOException when the client went away before
   */
  static ApiRequest read(HttpCall http) throws IOException {
    String target = http.target();
    String name = target.startsWith(TARGET_PREFIX) ? target.substring(TARGET_PREFIX.length()) : "";
    return new ApiRequest(name, object(http.body()));
  }

  private static ObjectNode object(byte[] body) {
    try {
      return JSON.readTree(body) instanceof ObjectNode object ? object : JSON.createObjectNode();
    } catch (IOException noJson) {
      return JSON.createObjectNode();
    }
  }

  /** What it asks for. */
  Operation operation() {
    return Operation.named(name);
  }

  /** Whether it came in the batch form. */
  boolean isBatch() {
    return Operation.isBatch(name);
  }

  /** The name of its queue, from the queue's URL or given as such; empty without one. */
  String queueName() {
    String url = optional("QueueUrl").or(() -> optional("QueueName")).orElse("");
    return url.substring(url.lastIndexOf('/') + 1);
  }

  /** A text that the call may have; an empty one counts as none. */
  Optional<String> optional(String parameter) {
    String value = parameters.path(parameter).asText("");
    return value.isEmpty() ? Optional.empty() : Optional.of(value);
  }

  /** A text that the call must have. */
  String required(String parameter) {
    return optional(parameter).orElseThrow(() -> new Refusal(ServiceError.missingParameter(parameter)));
  }

  /** A whole number that the call may have. */
  Optional<Integer> integer(String parameter) {
    JsonNode value = parameters.path(parameter);
    return value.canConvertToInt() ? Optional.of(value.asInt()) : Optional.empty();
  }

  /** A list of texts, empty without one. */
  List<String> texts(String parameter) {
    List<String> values = new ArrayList<>();
    parameters.path(parameter).forEach(value -> values.add(value.asText()));
    return values;
  }

  /** The entries of a batch, unchecked; a call that is no batch is its own one entry. */
  List<ApiRequest> entries() {
    if (!isBatch()) {
      return List.of(this);
    }
    List<ApiRequest> entries = new ArrayList<>();
    parameters.path("Entries").forEach(entry -> {
      if (entry instanceof ObjectNode object) {
        entries.add(new ApiRequest(name, object));
      }
    });
    return entries;
  }

  static ObjectNode newObject() {
    return JSON.createObjectNode();
  }

  static byte[] bytes(ObjectNode object) {
    try {
      return JSON.writeValueAsBytes(object);
    } catch (IOException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** A text as a JSON object; empty when it is none. */
  static Optional<ObjectNode> parsed(String text) {
    try {
      return JSON.readTree(text) instanceof ObjectNode object ? Optional.of(object) : Optional.empty();
    } catch (IOException noJson) {
      return Optional.empty();
    }
  }

  /** Names the operation without its parameters. */
  @Override
  public String toString() {
    return "ApiRequest[" + name + "]";
  }
}
