package io.queueworker.benchmarks;

import java.util.ArrayList;
import java.util.List;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequest;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchResponse;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchResultEntry;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequest;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchResponse;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchResultEntry;
import software.amazon.awssdk.services.sqs.model.DeleteMessageRequest;
import software.amazon.awssdk.services.sqs.model.DeleteMessageResponse;
import software.amazon.awssdk.services.sqs.model.GetQueueAttributesResponse;
import software.amazon.awssdk.services.sqs.model.GetQueueUrlResponse;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageRequest;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageResponse;

/** What the clients of a {@link StubQueue} answer, and the count of what they were asked. Thread-safe. */
final class StubAnswers {

  private final StubQueue queue;
  private final RequestCounts counts;

  /** The answers of one queue. */
  StubAnswers(StubQueue queue, RequestCounts counts) {
    this.queue = queue;
    this.counts = counts;
  }

  /** What the queue has now; empty when it has nothing, for the client to wait or not. */
  ReceiveMessageResponse receive(ReceiveMessageRequest request) {
    counts.count("ReceiveMessage");
    Integer most = request.maxNumberOfMessages();
    return ReceiveMessageResponse.builder().messages(queue.take(most == null ? 1 : most)).build();
  }

  /** Deletes one. */
  DeleteMessageResponse delete(DeleteMessageRequest request) {
    counts.count("DeleteMessage");
    queue.delete(request.receiptHandle());
    return DeleteMessageResponse.builder().build();
  }

  /** Deletes several. */
  DeleteMessageBatchResponse delete(DeleteMessageBatchRequest request) {
    counts.count("DeleteMessageBatch");
    List<DeleteMessageBatchResultEntry> done = new ArrayList<>(request.entries().size());
    for (DeleteMessageBatchRequestEntry entry : request.entries()) {
      queue.delete(entry.receiptHandle());
      done.add(DeleteMessageBatchResultEntry.builder().id(entry.id()).build());
    }
    return DeleteMessageBatchResponse.builder().successful(done).build();
  }

  /** Agrees. */
  ChangeMessageVisibilityBatchResponse change(ChangeMessageVisibilityBatchRequest request) {
    counts.count("ChangeMessageVisibilityBatch");
    counts.extended(request.entries().size());
    List<ChangeMessageVisibilityBatchResultEntry> done = new ArrayList<>(request.entries().size());
    for (ChangeMessageVisibilityBatchRequestEntry entry : request.entries()) {
      queue.extend(entry.receiptHandle());
      done.add(ChangeMessageVisibilityBatchResultEntry.builder().id(entry.id()).build());
    }
    return ChangeMessageVisibilityBatchResponse.builder().successful(done).build();
  }

  /** The queue's settings. */
  GetQueueAttributesResponse attributes() {
    counts.count("GetQueueAttributes");
    return GetQueueAttributesResponse.builder().attributes(queue.attributes()).build();
  }

  /** Where the queue is said to be. */
  GetQueueUrlResponse url() {
    counts.count("GetQueueUrl");
    return GetQueueUrlResponse.builder().queueUrl(StubClients.URL).build();
  }
}
