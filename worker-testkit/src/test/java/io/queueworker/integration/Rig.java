package io.queueworker.integration;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.queueworker.testkit.elasticmq.TestQueueHandle;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

/** What the integration tests share. */
final class Rig {

  /** A bound for what must happen, far above what it takes. */
  static final Duration LONG = Duration.ofSeconds(90);

  /** For workers whose close must not wait for a long poll. */
  static final Duration SHORT_POLL = Duration.ofSeconds(1);

  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(10);
  private static final CountDownLatch NEVER = new CountDownLatch(1);

  private Rig() {}

  /** Work that takes a while and leaves the processor alone. */
  static void work(Duration duration) throws InterruptedException {
    boolean ignored = NEVER.await(duration.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Waits for a named event. */
  static void await(String what, CountDownLatch event) throws InterruptedException {
    if (!event.await(LONG.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("not within " + LONG + ": " + what);
    }
  }

  /** Waits for a state that nothing signals: asks again until the answer is yes. */
  static void until(String what, Callable<Boolean> yes) throws Exception {
    long start = System.nanoTime();
    while (!yes.call()) {
      if (System.nanoTime() - start > LONG.toNanos()) {
        throw new AssertionError("not within " + LONG + ": " + what);
      }
      LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
    }
  }

  /** Receives one message with a client of its own, as another consumer does, hidden for {@code visibility}. */
  static Message receiveElsewhere(TestQueueHandle queue, Duration visibility) {
    long start = System.nanoTime();
    while (System.nanoTime() - start < LONG.toNanos()) {
      List<Message> received =
          queue
              .client()
              .receiveMessage(
                  request -> request
                      .queueUrl(queue.url())
                      .waitTimeSeconds(5)
                      .visibilityTimeout((int) visibility.toSeconds())
                      .messageSystemAttributeNames(MessageSystemAttributeName.ALL))
              .messages();
      if (!received.isEmpty()) {
        return received.get(0);
      }
    }
    throw new AssertionError("not within " + LONG + ": a message of " + queue);
  }

  /** The receive count of a message that came. */
  static int receiveCount(Message message) {
    return Integer.parseInt(message.attributes().get(MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT));
  }

  /** A pool whose waits are short. */
  static HikariDataSource pool(DataSource connections, int size) {
    HikariConfig config = new HikariConfig();
    config.setDataSource(connections);
    config.setMaximumPoolSize(size);
    config.setConnectionTimeout(1000);
    return new HikariDataSource(config);
  }
}
