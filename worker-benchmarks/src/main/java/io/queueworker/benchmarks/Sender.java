package io.queueworker.benchmarks;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import software.amazon.awssdk.services.sqs.SqsClient;

/** Sends messages one by one, each when it is due, whether the one before has been answered or not. Stateless. */
final class Sender {

  private Sender() {}

  /** Sends the messages of this plan to this queue; returns when the last one is on its way. */
  static void send(String url, Plan plan) {
    SqsClient client = new HttpClients(url).control();
    long begun = System.nanoTime();
    long between = TimeUnit.SECONDS.toNanos(1) / plan.perSecond();
    for (int index = 0; index < plan.total(); index++) {
      long due = begun + index * between;
      for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
        LockSupport.parkNanos(left);
      }
      int number = index;
      Thread.startVirtualThread(
          () -> client.sendMessage(message -> message.queueUrl(url).messageBody(Body.of(number))));
    }
  }
}
