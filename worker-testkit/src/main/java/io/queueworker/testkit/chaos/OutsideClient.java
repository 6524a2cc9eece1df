package io.queueworker.testkit.chaos;

import io.queueworker.gate.Fenced;

/**
 * A modelled system outside, such as a payment service, as one worker reaches it. Its calls block in virtual time and fail as
 * the plan says.
 *
 * <p>Not thread-safe, and need not be: simulated threads run one at a time.
 */
public final class OutsideClient {

  private final Line line;
  private final OutsideSystem server;
  private final String queue;

  OutsideClient(Line line, OutsideSystem server, String queue) {
    this.line = line;
    this.server = server;
    this.queue = queue;
  }

  /**
   * Makes an effect.
   *
   * @throws StoreException when no answer came; the effect may have
   */
  public void call(String effect) {
    call("", effect);
  }

  /**
   * Makes an effect unless it was made for this attempt's idempotency key.
   *
   * @throws StoreException when no answer came; the effect may have
   */
  public void call(Fenced fenced, String effect) {
    call(fenced.idempotencyKey(), effect);
  }

  private void call(String idempotencyKey, String name) {
    line.<Boolean>send(
        ServiceCall.OUTSIDE,
        reply -> server.call(
            idempotencyKey,
            new Effect(queue, name, line.machine().name(), line.world().timing().elapsed()),
            reply));
  }
}
