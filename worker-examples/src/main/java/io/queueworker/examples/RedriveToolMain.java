package io.queueworker.examples;

import io.queueworker.deadletter.DeadLetters;
import io.queueworker.deadletter.RedriveRequest;
import io.queueworker.queue.MessageQueue;
import io.queueworker.queue.sqs.SqsQueue;
import java.time.Duration;

/**
 * A redrive in a JVM of its own, so that {@link RedriveMain} can kill it: it hangs between the send and the delete of its second
 * message. When its parent dies, it does too.
 */
public final class RedriveToolMain {

  private RedriveToolMain() {}

  /** Takes a name and the queue's URL. */
  public static void main(String[] args) throws Exception {
    Thread.ofPlatform().daemon().start(() -> redrive(args[1]));
    OrdersWorkerMain.dieWithParent();
  }

  private static void redrive(String queueUrl) {
    try (SqsQueue orders = SqsQueue.connect(queueUrl)) {
      MessageQueue dead = new HangingDeletes(orders.deadLetters().orElseThrow(), 2);
      DeadLetters.of(dead, orders).redrive(RedriveRequest.all().hiddenFor(Duration.ofSeconds(10)));
    }
  }
}
