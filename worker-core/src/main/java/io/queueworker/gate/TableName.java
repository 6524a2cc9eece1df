package io.queueworker.gate;

import java.util.regex.Pattern;

/**
 * The name of the gate's table, with its schema where given. It becomes part of SQL text, so it can hold nothing that
 * would need quoting.
 *
 * <p>Immutable.
 */
record TableName(String text) {
  private static final String IDENTIFIER = "[A-Za-z_][A-Za-z0-9_]{0,62}";
  private static final Pattern ALLOWED = Pattern.compile(IDENTIFIER + "(\\." + IDENTIFIER + ")?");

  /** The name in the shipped DDL. */
  static final TableName DEFAULT = new TableName("queueworker_gate");

  /** Refuses everything else than {@code table} and {@code schema.table}. */
  TableName {
    if (!ALLOWED.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "the gate's table is named \"" + text
              + "\"; allowed is table or schema.table, each of 1 to 63 letters, digits"
              + " and underscores of ASCII, not starting with a digit");
    }
  }

  @Override
  public String toString() {
    return text;
  }
}
