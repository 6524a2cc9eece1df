package io.queueworker.testkit;

/**
 * Makes deliveries for unit tests of handlers.
 *
 * <pre>{@code
 * TestDelivery<Order> delivery = Deliveries.of(order).withReceiveCount(3);
 * handler.handle(delivery);
 * }</pre>
 */
public final class Deliveries {

  private Deliveries() {}

  /** A delivery of {@code body} that is held for 30 seconds, received once, without attributes or group. */
  public static <T> TestDelivery<T> of(T body) {
    return new TestDelivery<>(body);
  }
}
