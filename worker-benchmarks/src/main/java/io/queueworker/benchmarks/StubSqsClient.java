package io.queueworker.benchmarks;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequest;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchResponse;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequest;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchResponse;
import software.amazon.awssdk.services.sqs.model.DeleteMessageRequest;
import software.amazon.awssdk.services.sqs.model.DeleteMessageResponse;
import software.amazon.awssdk.services.sqs.model.GetQueueAttributesRequest;
import software.amazon.awssdk.services.sqs.model.GetQueueAttributesResponse;
import software.amazon.awssdk.services.sqs.model.GetQueueUrlRequest;
import software.amazon.awssdk.services.sqs.model.GetQueueUrlResponse;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageRequest;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageResponse;

/** A client of a {@link StubQueue} that answers on the caller's thread, a receive of nothing after its wait. Thread-safe. */
final class StubSqsClient implements SqsClient {

  private final StubAnswers answers;
  private final CountDownLatch never = new CountDownLatch(1);

  /** A client that gives these answers. */
  StubSqsClient(StubAnswers answers) {
    this.answers = answers;
  }

  @Override
  public ReceiveMessageResponse receiveMessage(ReceiveMessageRequest request) {
    ReceiveMessageResponse response = answers.receive(request);
    Integer wait = request.waitTimeSeconds();
    if (response.messages().isEmpty() && wait != null) {
      try {
        never.await(wait, TimeUnit.SECONDS);
      } catch (InterruptedException closing) {
        Thread.currentThread().interrupt();
      }
    }
    return response;
  }

  @Override
  public DeleteMessageResponse deleteMessage(DeleteMessageRequest request) {
    return answers.delete(request);
  }

  @Override
  public DeleteMessageBatchResponse deleteMessageBatch(DeleteMessageBatchRequest request) {
    return answers.delete(request);
  }

  @Override
  public ChangeMessageVisibilityBatchResponse changeMessageVisibilityBatch(
      ChangeMessageVisibilityBatchRequest request) {
    return answers.change(request);
  }

  @Override
  public GetQueueAttributesResponse getQueueAttributes(GetQueueAttributesRequest request) {
    return answers.attributes();
  }

  @Override
  public GetQueueUrlResponse getQueueUrl(GetQueueUrlRequest request) {
    return answers.url();
  }

  @Override
  public String serviceName() {
    return SERVICE_NAME;
  }

  @Override
  public void close() {
    // It holds nothing.
  }
}
