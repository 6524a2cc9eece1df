package io.queueworker;

import java.util.Collection;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A JSON object under construction. For one thread. */
final class JsonFields {

  private final StringBuilder json = new StringBuilder("{");

  /** Adds a field whose value is JSON by its {@code toString}: a number, a boolean, an object, or null. */
  JsonFields put(String name, @Nullable Object value) {
    json.append(json.length() > 1 ? "," : "").append(text(name)).append(':').append(value);
    return this;
  }

  /** The object. */
  String end() {
    return json.append('}').toString();
  }

  /** An array of values that are JSON. */
  static String array(Collection<String> values) {
    return values.stream().collect(Collectors.joining(",", "[", "]"));
  }

  /** Text as JSON, in ASCII, so that no reader can take it for anything else. */
  static String text(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < ' ' || c > '~') {
        quoted.append(String.format("\\u%04x", (int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }
}
