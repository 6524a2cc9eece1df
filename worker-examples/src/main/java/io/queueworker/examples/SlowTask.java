package io.queueworker.examples;

import io.queueworker.Delivery;
import io.queueworker.GatedHandler;
import io.queueworker.gate.GateTransaction;

/**
 * The task of {@link FortyFiveSecondTaskMain}: it works longer than the visibility timeout and writes its effect at the end.
 *
 * <p>Before its long step it asks for a whole visibility timeout. Without that the heartbeat's first extension would come
 * at half the visibility timeout, 15 s, and last until 45 s: a failure from 20 s on would then harm nobody. Thread-safe.
 *
 * @param orders where the effect goes
 * @param options how long it works
 */
record SlowTask(OrderTable orders, TaskOptions options) implements GatedHandler<Order, GateTransaction> {

  @Override
  public void handle(Delivery<Order> delivery, GateTransaction tx) throws Exception {
    Thread.sleep(options.firstStep());
    delivery.extendTo(options.visibility());
    Thread.sleep(options.task().minus(options.firstStep()));
    orders.insert(tx.connection(), delivery.body()); // opens the transaction; the gate commits it
  }
}
