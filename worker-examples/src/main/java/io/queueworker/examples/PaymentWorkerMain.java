package io.queueworker.examples;

import io.queueworker.QueueWorker;
import io.queueworker.gate.Fenced;
import io.queueworker.gate.LeasedGate;
import io.queueworker.queue.sqs.SqsQueue;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/**
 * One worker of {@link PaymentMain}, in a JVM of its own so that it can be killed. SIGTERM closes it cleanly. When its
 * parent dies, it does too.
 */
public final class PaymentWorkerMain {

  private static final Duration TIME_PER_ITEM = Duration.ofMillis(100);
  private static final HttpClient HTTP = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

  private PaymentWorkerMain() {}

  /**
   * Takes the worker's name, the URLs of the queue, the database and the payment server, and perhaps the order after whose
   * charge it hangs, to be killed there.
   */
  public static void main(String[] args) throws Exception {
    URI payments = URI.create(args[3]);
    String hangsAfter = args.length > 4 ? args[4] : "";
    QueueWorker.of(SqsQueue.connect(args[1]))
        .decode(Order::fromJson)
        .once(
            LeasedGate.on(OrdersWorkerMain.pool(args[2])),
            delivery -> delivery.body().id(),
            (delivery, fenced) -> {
              Order order = delivery.body();
              Thread.sleep(TIME_PER_ITEM.multipliedBy(order.items())); // perhaps longer than the visibility timeout
              charge(payments, order, fenced);
              if (order.id().equals(hangsAfter)) {
                Thread.sleep(Duration.ofMinutes(10)); // charged, and not completed: the moment that counts
              }
            })
        .workerId(args[0])
        .maxConcurrency(8)
        .pollWait(Duration.ofSeconds(1))
        .start()
        .closeOnShutdown();
    OrdersWorkerMain.dieWithParent();
  }

  /** The key makes a repetition harmless, and the fence a call of a lapsed attempt that arrives late. */
  private static void charge(URI payments, Order order, Fenced fenced) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(payments)
            .timeout(Duration.ofSeconds(10))
            .header("Idempotency-Key", fenced.idempotencyKey())
            .header("Fence", Long.toString(fenced.fence()))
            .POST(BodyPublishers.ofString(order.id()))
            .build();
    HttpResponse<Void> response = HTTP.send(request, BodyHandlers.discarding());
    if (response.statusCode() != 200 && response.statusCode() != 201) {
      throw new IOException("the payment server answered " + response.statusCode());
    }
  }
}
