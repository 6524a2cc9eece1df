package io.queueworker.examples;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;

/**
 * What a customer wants, as it travels in a message. Immutable.
 *
 * @param id names the order, and so its effect
 * @param items how many things are to be packed
 */
record Order(String id, int items) {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** The body of the order's message. */
  String toJson() throws IOException {
    return JSON.writeValueAsString(this);
  }

  /** The order in a message's body. */
  static Order fromJson(String body) throws IOException {
    return JSON.readValue(body, Order.class);
  }
}
