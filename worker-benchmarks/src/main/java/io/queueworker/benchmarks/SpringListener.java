package io.queueworker.benchmarks;

import io.awspring.cloud.sqs.listener.SqsContainerOptionsBuilder;
import io.awspring.cloud.sqs.listener.SqsMessageListenerContainer;
import java.time.Duration;
import org.springframework.core.task.VirtualThreadTaskExecutor;

/**
 * The listener container of Spring Cloud AWS, on platform threads or on virtual ones. Its defaults are its documented best for
 * many small messages: ten messages a receive, as many receives as there is room for, deletes in batches of ten or after a
 * second. Set here: the concurrency, which all contenders share, and polls of 20 s, the most there is. For one thread.
 */
final class SpringListener implements Contender {

  private static final Duration LONGEST_POLL = Duration.ofSeconds(20);
  private static final Duration LONGEST_SHUTDOWN = Duration.ofSeconds(60);

  private final SqsMessageListenerContainer<String> container;

  /** A container whose handlers run on threads of this kind. */
  SpringListener(Job job, boolean virtual) {
    this.container =
        SqsMessageListenerContainer.<String>builder()
            .sqsAsyncClient(job.clients().async())
            .queueNames(job.queueUrl())
            .configure(options -> configure(options, job, virtual))
            .messageListener(message -> handle(job, message.getPayload()))
            .build();
  }

  private static void configure(SqsContainerOptionsBuilder options, Job job, boolean virtual) {
    options
        .maxConcurrentMessages(job.plan().concurrency())
        .maxMessagesPerPoll(10)
        .pollTimeout(LONGEST_POLL)
        .acknowledgementThreshold(10)
        .acknowledgementInterval(Duration.ofSeconds(1))
        .listenerShutdownTimeout(LONGEST_SHUTDOWN)
        .acknowledgementShutdownTimeout(LONGEST_SHUTDOWN);
    if (virtual) {
      options.componentsTaskExecutor(new VirtualThreadTaskExecutor("spring-"));
    }
  }

  private static void handle(Job job, String body) {
    try {
      job.work().handle(body);
    } catch (Exception failed) {
      throw new IllegalStateException("the handler failed", failed);
    }
  }

  @Override
  public void start() {
    container.start();
  }

  @Override
  public void close() {
    container.stop();
  }
}
