package io.queueworker.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchResponse;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageRequest;

/**
 * The loop that one writes by hand on {@link SqsClient}: each poller receives ten, handles each on a virtual thread, deletes
 * those that succeeded in one batch, and begins again. No lease is extended, no failed delete repeated, nothing drained: what
 * can be had when nothing is promised.
 */
final class RawLoop implements Contender {

  private static final Logger LOG = LoggerFactory.getLogger(RawLoop.class);

  private static final int BATCH = 10;
  private static final int WAIT_SECONDS = 20;

  private final Job job;
  private final int pollers;
  private final SqsClient client;
  private final ReceiveMessageRequest receive;
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean closed;

  /**
   * A loop.
   *
   * @param pollers threads that receive
   * @param attributes whether it asks for all attributes, as this worker does, or for none
   */
  RawLoop(Job job, int pollers, boolean attributes) {
    this.job = job;
    this.pollers = pollers;
    this.client = job.clients().receive();
    ReceiveMessageRequest.Builder request =
        ReceiveMessageRequest.builder()
            .queueUrl(job.queueUrl())
            .maxNumberOfMessages(BATCH)
            .waitTimeSeconds(WAIT_SECONDS);
    if (attributes) {
      request.messageSystemAttributeNames(MessageSystemAttributeName.ALL).messageAttributeNames("All");
    }
    this.receive = request.build();
  }

  @Override
  public void start() {
    for (int poller = 1; poller <= pollers; poller++) {
      threads.add(Thread.ofPlatform().daemon().name("raw-poll-" + poller).start(this::loop));
    }
  }

  private void loop() {
    while (!closed) {
      try {
        List<Message> messages = client.receiveMessage(receive).messages();
        if (!messages.isEmpty()) {
          delete(handled(messages));
        }
      } catch (InterruptedException told) {
        return;
      } catch (RuntimeException failed) {
        LOG.warn("a pass failed", failed);
      }
    }
  }

  /** Handles all, each on a thread of its own, and returns those that succeeded. */
  private List<Message> handled(List<Message> messages) throws InterruptedException {
    AtomicIntegerArray succeeded = new AtomicIntegerArray(messages.size());
    CountDownLatch running = new CountDownLatch(messages.size());
    for (int i = 0; i < messages.size(); i++) {
      int number = i;
      Thread.startVirtualThread(
          () -> {
            try {
              job.work().handle(messages.get(number).body());
              succeeded.set(number, 1);
            } catch (Exception failed) {
              LOG.warn("a handler failed", failed);
            } finally {
              running.countDown();
            }
          });
    }
    running.await();
    List<Message> done = new ArrayList<>(messages.size());
    for (int i = 0; i < messages.size(); i++) {
      if (succeeded.get(i) == 1) {
        done.add(messages.get(i));
      }
    }
    return done;
  }

  private void delete(List<Message> messages) {
    if (messages.isEmpty()) {
      return;
    }
    List<DeleteMessageBatchRequestEntry> entries = new ArrayList<>(messages.size());
    for (Message message : messages) {
      entries.add(
          DeleteMessageBatchRequestEntry.builder()
              .id(Integer.toString(entries.size()))
              .receiptHandle(message.receiptHandle())
              .build());
    }
    DeleteMessageBatchResponse response =
        client.deleteMessageBatch(batch -> batch.queueUrl(job.queueUrl()).entries(entries));
    if (!response.failed().isEmpty()) {
      LOG.warn("{} deletes failed", response.failed().size());
    }
  }

  @Override
  public void close() throws InterruptedException {
    closed = true;
    for (Thread thread : threads) {
      thread.join();
    }
  }
}
