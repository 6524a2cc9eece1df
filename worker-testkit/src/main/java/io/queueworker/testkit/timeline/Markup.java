package io.queueworker.testkit.timeline;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import org.owasp.encoder.Encode;

/**
 * Markup under construction, which is well-formed as XML too. Every text and every attribute's value is escaped. For one
 * thread.
 */
final class Markup {

  private final StringBuilder out = new StringBuilder();
  private final Deque<String> open = new ArrayDeque<>();

  /** Begins an element. {@code attributes} are names and values in turn; a number is written to a tenth. */
  Markup open(String element, Object... attributes) {
    start(element, attributes).append('>');
    open.push(element);
    return this;
  }

  /** An element without content. Of HTML's own elements only those that never have any, such as {@code meta}. */
  Markup empty(String element, Object... attributes) {
    start(element, attributes).append("/>");
    return this;
  }

  /** An element that contains this text. */
  Markup leaf(String element, String text, Object... attributes) {
    return open(element, attributes).text(text).close();
  }

  /** Text. */
  Markup text(String text) {
    out.append(Encode.forXmlContent(text));
    return this;
  }

  /** Ends the element begun last. */
  Markup close() {
    out.append("</").append(open.pop()).append('>');
    return this;
  }

  /** A line's end, for those who read the source. */
  Markup line() {
    out.append('\n');
    return this;
  }

  /** A style sheet, which is not escaped: one of the library's own. */
  Markup style(String sheet) {
    out.append("<style>\n").append(sheet).append("</style>\n");
    return this;
  }

  private StringBuilder start(String element, Object... attributes) {
    out.append('<').append(element);
    for (int i = 0; i < attributes.length; i += 2) {
      out.append(' ')
          .append(attributes[i])
          .append("=\"")
          .append(Encode.forXmlAttribute(value(attributes[i + 1])))
          .append('"');
    }
    return out;
  }

  private static String value(Object value) {
    return value instanceof Double number ? String.format(Locale.ROOT, "%.1f", number) : String.valueOf(value);
  }

  @Override
  public String toString() {
    if (!open.isEmpty()) {
      throw new IllegalStateException("not closed: " + open);
    }
    return out.toString();
  }
}
