package io.queueworker.receive;

import io.queueworker.lease.Receive;
import io.queueworker.queue.ReceivedMessage;

/** Takes what a receive brought. Called on poll threads; must not block for long, and each message costs one permit. */
public interface Intake {

  /**
   * Starts the work on one message, whose permit is now the taker's to give back.
   *
   * @param from the receive that brought it; messages of one receive come in its order
   */
  void accept(ReceivedMessage message, Receive from);

  /**
   * Puts a message that came too late to be worked on under lease. It holds no permit.
   *
   * @return sends it back, without a delay
   */
  Runnable giveBack(ReceivedMessage message, Receive from);
}
