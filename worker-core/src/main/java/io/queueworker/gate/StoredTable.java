package io.queueworker.gate;

/**
 * A table by the schema and name under which the database keeps it. SQL that names it so means this table, whatever schema
 * the connection points to.
 *
 * <p>Immutable.
 */
record StoredTable(String schema, String name) {

  /** Both parts in quotes, as SQL text. */
  @Override
  public String toString() {
    return quoted(schema) + "." + quoted(name);
  }

  private static String quoted(String identifier) {
    return '"' + identifier.replace("\"", "\"\"") + '"';
  }
}
