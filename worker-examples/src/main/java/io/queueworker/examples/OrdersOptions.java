package io.queueworker.examples;

import java.time.Duration;

/**
 * What the user of {@link OrdersMain} can choose, by system properties. Immutable.
 *
 * @param orders how many orders to send, 20 to 100,000; 200 unless {@code -Dorders} is given
 * @param db {@code h2}, or {@code postgres} when {@code -Ddb} says so
 */
record OrdersOptions(int orders, String db) {

  OrdersOptions {
    if (orders < 20 || orders > 100_000) {
      throw wrongOrders(Integer.toString(orders));
    }
    if (!db.equals("h2") && !db.equals("postgres")) {
      throw new IllegalArgumentException("db is \"" + db + "\": give -Ddb=h2 or -Ddb=postgres");
    }
  }

  /** Reads them; an empty property is as good as none. */
  static OrdersOptions read() {
    return read(200);
  }

  /** The same with another number of orders when none is given. */
  static OrdersOptions read(int orders) {
    return new OrdersOptions(number(property("orders", Integer.toString(orders))), property("db", "h2"));
  }

  private static int number(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw wrongOrders(text);
    }
  }

  private static IllegalArgumentException wrongOrders(String given) {
    return new IllegalArgumentException("orders is " + given + ": give -Dorders=20 up to -Dorders=100000");
  }

  private static String property(String name, String otherwise) {
    String value = System.getProperty(name, "");
    return value.isBlank() ? otherwise : value.strip();
  }

  /** After how long the program gives up: two minutes, and a tenth of a second for each order. */
  Duration timeLimit() {
    return Duration.ofMinutes(2).plusMillis(100L * orders);
  }
}
