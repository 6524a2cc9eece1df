package io.queueworker.receive;

import io.queueworker.queue.ReceivedMessage;
import java.time.Duration;

/** Takes what a receive brought. Called on poll threads; must not block for long, and each message costs one permit. */
public interface Intake {

  /**
   * Starts the work on one message, whose permit is now the taker's to give back.
   *
   * @param visibility how long the receive hides the message
   * @param sentAt when the receive was sent, by the lease clock
   * @param arrivedAt when the service answered at the latest, by the lease clock
   */
  void accept(ReceivedMessage message, Duration visibility, long sentAt, long arrivedAt);

  /**
   * Puts a message that came too late to be worked on under lease. It holds no permit.
   *
   * @return sends it back, without a delay
   */
  Runnable giveBack(ReceivedMessage message, Duration visibility, long sentAt, long arrivedAt);
}
