package io.queueworker.examples;

/**
 * What the user of {@link GateGrowthMain} can choose, by system properties. Immutable.
 *
 * @param rows how many keys, 100 to 10,000,000; 10,000 unless {@code -Drows} is given
 * @param db {@code h2}, or {@code postgres} when {@code -Ddb} says so
 */
record GrowthOptions(int rows, String db) {

  GrowthOptions {
    if (rows < 100 || rows > 10_000_000) {
      throw wrongRows(Integer.toString(rows));
    }
    if (!db.equals("h2") && !db.equals("postgres")) {
      throw new IllegalArgumentException("db is \"" + db + "\": give -Ddb=h2 or -Ddb=postgres");
    }
  }

  /** Reads them; an empty property is as good as none. */
  static GrowthOptions read() {
    String rows = System.getProperty("rows", "");
    String db = System.getProperty("db", "");
    try {
      return new GrowthOptions(rows.isBlank() ? 10_000 : Integer.parseInt(rows.strip()),
          db.isBlank() ? "h2" : db.strip());
    } catch (NumberFormatException e) {
      throw wrongRows(rows);
    }
  }

  private static IllegalArgumentException wrongRows(String given) {
    return new IllegalArgumentException("rows is " + given + ": give -Drows=100 up to -Drows=10000000");
  }
}
