package io.queueworker.testkit.endpoint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queueworker.queue.MessageAttribute;
import java.util.Base64;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A message's attributes as the JSON protocol writes them. Stateless, so thread-safe. */
final class MessageJson {

  private static final String TYPES = "(String|Number|Binary)(\\..+)?";
  private static final String NAMES = "[A-Za-z0-9_.-]{1,256}";

  private MessageJson() {}

  /** The sender's attributes in a send. */
  static Map<String, MessageAttribute> attributes(ApiRequest message) {
    Map<String, MessageAttribute> attributes = new HashMap<>();
    message.parameters().path("MessageAttributes").properties().forEach(
        attribute -> attributes.put(attribute.getKey(), attribute(attribute.getKey(), attribute.getValue())));
    return attributes;
  }

  private static MessageAttribute attribute(String name, JsonNode json) {
    String type = json.path("DataType").asText("");
    Refusal.require(
        name.matches(NAMES),
        ServiceError.invalidParameterValue(
            "Message (user) attribute name can contain upper and lower score alphabetical characters, digits, periods,"
                + " hyphens and underscores."));
    Refusal.require(
        type.matches(TYPES),
        ServiceError.invalidParameterValue(
            "The message attribute '" + name + "' has an invalid message attribute type, the set of supported type"
                + " prefixes is Binary, Number, and String."));
    MessageAttribute attribute =
        new MessageAttribute(type, json.path(valueField(type)).asText(""));
    Refusal.require(
        !attribute.value().isEmpty() && (!attribute.isBinary() || isBase64(attribute.value())),
        ServiceError.invalidParameterValue(
            "Message (user) attribute '" + name + "' must contain a non-empty value of type '" + type + "'."));
    return attribute;
  }

  private static boolean isBase64(String text) {
    try {
      return Base64.getDecoder().decode(text).length > 0;
    } catch (IllegalArgumentException notBase64) {
      return false;
    }
  }

  /** Adds the attributes that a receive asks for, with their checksum, to a message. */
  static void add(ObjectNode message, Map<String, MessageAttribute> attributes, List<String> wanted) {
    Map<String, MessageAttribute> asked = new LinkedHashMap<>();
    attributes.forEach((name, attribute) -> {
      if (wanted.stream().anyMatch(pattern -> matches(pattern, name))) {
        asked.put(name, attribute);
      }
    });
    if (asked.isEmpty()) {
      return;
    }
    message.put("MD5OfMessageAttributes", Checksums.of(asked));
    ObjectNode json = message.putObject("MessageAttributes");
    asked.forEach(
        (name, attribute) -> json
            .putObject(name)
            .put("DataType", attribute.type())
            .put(valueField(attribute.type()), attribute.value()));
  }

  private static boolean matches(String pattern, String name) {
    if (pattern.equals("All")) {
      return true;
    }
    return pattern.endsWith(".*")
        ? name.startsWith(pattern.substring(0, pattern.length() - 2))
        : pattern.equals(name);
  }

  private static String valueField(String type) {
    return type.startsWith("Binary") ? "BinaryValue" : "StringValue";
  }

  /** Adds the system attributes that a receive asks for to a message. */
  static void addSystem(ObjectNode message, Map<String, String> attributes, Collection<String> wanted) {
    Map<String, String> asked = new LinkedHashMap<>(attributes);
    if (!wanted.contains("All")) {
      asked.keySet().retainAll(wanted);
    }
    if (!asked.isEmpty()) {
      ObjectNode json = message.putObject("Attributes");
      asked.forEach(json::put);
    }
  }
}
