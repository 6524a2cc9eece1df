package io.queueworker.benchmarks;

import com.jashmore.sqs.QueueProperties;
import com.jashmore.sqs.broker.concurrent.ConcurrentMessageBroker;
import com.jashmore.sqs.broker.concurrent.StaticConcurrentMessageBrokerProperties;
import com.jashmore.sqs.container.CoreMessageListenerContainer;
import com.jashmore.sqs.container.MessageListenerContainer;
import com.jashmore.sqs.processor.LambdaMessageProcessor;
import com.jashmore.sqs.resolver.batching.BatchingMessageResolver;
import com.jashmore.sqs.resolver.batching.StaticBatchingMessageResolverProperties;
import com.jashmore.sqs.retriever.prefetch.PrefetchingMessageRetriever;
import com.jashmore.sqs.retriever.prefetch.StaticPrefetchingMessageRetrieverProperties;
import java.time.Duration;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.Message;

/**
 * The Java Dynamic SQS Listener, put together as its documentation does for many messages that take little time: as many
 * messages fetched beforehand as are handled, and ten to twenty more, and deletes in batches of ten or after a second. For one
 * thread.
 */
final class DynamicListener implements Contender {

  private static final int BATCH = 10;
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final MessageListenerContainer container;

  /** A container with the concurrency that all contenders share. */
  DynamicListener(Job job) {
    SqsAsyncClient client = job.clients().async();
    QueueProperties queue = QueueProperties.builder().queueUrl(job.queueUrl()).build();
    StaticConcurrentMessageBrokerProperties broker =
        StaticConcurrentMessageBrokerProperties.builder()
            .concurrencyLevel(job.plan().concurrency())
            .preferredConcurrencyPollingRate(Duration.ofMinutes(1))
            .errorBackoffTime(SECOND)
            .build();
    StaticPrefetchingMessageRetrieverProperties retriever =
        StaticPrefetchingMessageRetrieverProperties.builder()
            .desiredMinPrefetchedMessages(job.plan().concurrency() + BATCH)
            .maxPrefetchedMessages(job.plan().concurrency() + 2 * BATCH)
            .messageVisibilityTimeout(Duration.ofSeconds(job.plan().visibilitySeconds()))
            .errorBackoffTime(SECOND)
            .build();
    StaticBatchingMessageResolverProperties resolver =
        StaticBatchingMessageResolverProperties.builder().bufferingSizeLimit(BATCH).bufferingTime(SECOND).build();
    this.container =
        new CoreMessageListenerContainer(
            "bench",
            () -> new ConcurrentMessageBroker(broker),
            () -> new PrefetchingMessageRetriever(client, queue, retriever),
            () -> new LambdaMessageProcessor(client, queue, message -> handle(job, message)),
            () -> new BatchingMessageResolver(queue, client, resolver));
  }

  private static void handle(Job job, Message message) {
    try {
      job.work().handle(message.body());
    } catch (Exception failed) {
      throw new IllegalStateException("the handler failed", failed);
    }
  }

  @Override
  public void start() {
    var unused = container.start();
  }

  @Override
  public void close() {
    container.stop();
  }
}
