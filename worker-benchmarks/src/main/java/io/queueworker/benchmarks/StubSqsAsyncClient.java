package io.queueworker.benchmarks;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
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

/**
 * A client of a {@link StubQueue} whose futures are complete when they are returned, which is the least that a contender can be
 * made to pay for them; that of a receive of nothing completes after its wait. Thread-safe.
 */
final class StubSqsAsyncClient implements SqsAsyncClient {

  private final StubAnswers answers;

  /** A client that gives these answers. */
  StubSqsAsyncClient(StubAnswers answers) {
    this.answers = answers;
  }

  @Override
  public CompletableFuture<ReceiveMessageResponse> receiveMessage(ReceiveMessageRequest request) {
    ReceiveMessageResponse response = answers.receive(request);
    Integer wait = request.waitTimeSeconds();
    if (response.messages().isEmpty() && wait != null) {
      return new CompletableFuture<ReceiveMessageResponse>().completeOnTimeout(response, wait, TimeUnit.SECONDS);
    }
    return CompletableFuture.completedFuture(response);
  }

  @Override
  public CompletableFuture<DeleteMessageResponse> deleteMessage(DeleteMessageRequest request) {
    return CompletableFuture.completedFuture(answers.delete(request));
  }

  @Override
  public CompletableFuture<DeleteMessageBatchResponse> deleteMessageBatch(DeleteMessageBatchRequest request) {
    return CompletableFuture.completedFuture(answers.delete(request));
  }

  @Override
  public CompletableFuture<ChangeMessageVisibilityBatchResponse> changeMessageVisibilityBatch(
      ChangeMessageVisibilityBatchRequest request) {
    return CompletableFuture.completedFuture(answers.change(request));
  }

  @Override
  public CompletableFuture<GetQueueAttributesResponse> getQueueAttributes(GetQueueAttributesRequest request) {
    return CompletableFuture.completedFuture(answers.attributes());
  }

  @Override
  public CompletableFuture<GetQueueUrlResponse> getQueueUrl(GetQueueUrlRequest request) {
    return CompletableFuture.completedFuture(answers.url());
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
