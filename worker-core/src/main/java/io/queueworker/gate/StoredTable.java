package io.queueworker.gate;

/**
 * A table by the schema and name under which the database keeps it. SQL that names it so means this table, whatever schema
 * the connection points to.
 *
 * <p>Immutable.
 *
 * @param quote what encloses a name
 */
record StoredTable(String schema, String name, char quote) {

  /** A table whose database quotes names as the SQL standard says. */
  StoredTable(String schema, String name) {
    this(schema, name, '"');
  }

  /** Both parts in quotes, as SQL text. */
  @Override
  public String toString() {
    return quoted(schema) + "." + quoted(name);
  }

  private String quoted(String identifier) {
    String mark = Character.toString(quote);
    return mark + identifier.replace(mark, mark + mark) + mark;
  }
}
