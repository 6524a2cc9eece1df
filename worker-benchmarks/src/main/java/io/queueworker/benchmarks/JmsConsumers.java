package io.queueworker.benchmarks;

import com.amazon.sqs.javamessaging.ProviderConfiguration;
import com.amazon.sqs.javamessaging.SQSConnection;
import com.amazon.sqs.javamessaging.SQSConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sessions of the Amazon SQS Java Messaging Library, each with a consumer and a thread, as JMS wants it. Its one setting,
 * {@code numberOfMessagesToPrefetch}, is ten, so that each receive brings ten. Sessions acknowledge on the client's word: the
 * only mode of it that deletes several messages in one request. A session gives its word after ten messages, or when none is
 * there. For one thread.
 */
final class JmsConsumers implements Contender {

  private static final Logger LOG = LoggerFactory.getLogger(JmsConsumers.class);

  private static final int BATCH = 10;
  private static final long WAIT_MILLIS = 1_000;

  private final Job job;
  private final int sessions;
  private final List<Thread> threads = new ArrayList<>();
  private @Nullable SQSConnection connection;
  private volatile boolean closed;

  /** So many sessions. */
  JmsConsumers(Job job, int sessions) {
    this.job = job;
    this.sessions = sessions;
  }

  @Override
  public void start() throws JMSException {
    ProviderConfiguration settings = new ProviderConfiguration().withNumberOfMessagesToPrefetch(BATCH);
    SQSConnection made = new SQSConnectionFactory(settings, job.clients().receive()).createConnection();
    connection = made;
    String path = URI.create(job.queueUrl()).getPath();
    String queue = path.substring(path.lastIndexOf('/') + 1);
    for (int number = 1; number <= sessions; number++) {
      Session session = made.createSession(false, Session.CLIENT_ACKNOWLEDGE);
      MessageConsumer consumer = session.createConsumer(session.createQueue(queue));
      threads.add(Thread.ofPlatform().daemon().name("jms-" + number).unstarted(() -> consume(consumer)));
    }
    made.start();
    threads.forEach(Thread::start);
  }

  private void consume(MessageConsumer consumer) {
    Message last = null;
    int unacknowledged = 0;
    while (!closed) {
      try {
        Message message = last == null ? consumer.receive(WAIT_MILLIS) : consumer.receiveNoWait();
        if (message != null) {
          job.work().handle(((TextMessage) message).getText());
          last = message;
          unacknowledged++;
        }
        if (last != null && (message == null || unacknowledged == BATCH)) {
          last.acknowledge(); // and all before it
          last = null;
          unacknowledged = 0;
        }
      } catch (InterruptedException told) {
        return;
      } catch (Exception failed) {
        LOG.warn("a message failed", failed);
      }
    }
    try {
      if (last != null) {
        last.acknowledge();
      }
    } catch (JMSException failed) {
      LOG.warn("the last acknowledgement failed", failed);
    }
  }

  @Override
  public void close() throws InterruptedException, JMSException {
    closed = true;
    for (Thread thread : threads) {
      thread.join();
    }
    if (connection != null) {
      connection.close();
    }
  }
}
