package io.queueworker.benchmarks;

import java.util.concurrent.atomic.LongAdder;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.core.interceptor.SdkExecutionAttribute;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequest;

/** How many requests were sent, each try of the SDK counted, as the service bills them. Thread-safe. */
final class RequestCounts implements ExecutionInterceptor {

  private final LongAdder receives = new LongAdder();
  private final LongAdder deletes = new LongAdder();
  private final LongAdder extensions = new LongAdder();
  private final LongAdder extended = new LongAdder();
  private final LongAdder others = new LongAdder();

  /**
   * What was sent until a moment.
   *
   * @param receives receives
   * @param deletes deletes, of one message or of several
   * @param extensions changes of a visibility, of one message or of several
   * @param others everything else
   */
  record Sent(long receives, long deletes, long extensions, long others) {
    /** What was sent since. */
    Sent minus(Sent earlier) {
      return new Sent(
          receives - earlier.receives,
          deletes - earlier.deletes,
          extensions - earlier.extensions,
          others - earlier.others);
    }

    /** All of them. */
    long all() {
      return receives + deletes + extensions + others;
    }
  }

  @Override
  public void beforeTransmission(Context.BeforeTransmission context, ExecutionAttributes attributes) {
    count(String.valueOf(attributes.getAttribute(SdkExecutionAttribute.OPERATION_NAME)));
    if (context.request() instanceof ChangeMessageVisibilityBatchRequest request) {
      extended(request.entries().size());
    }
  }

  /** Counts a request of this operation. */
  void count(String operation) {
    switch (operation) {
      case "ReceiveMessage" -> receives.increment();
      case "DeleteMessage", "DeleteMessageBatch" -> deletes.increment();
      case "ChangeMessageVisibility", "ChangeMessageVisibilityBatch" -> extensions.increment();
      default -> others.increment();
    }
  }

  /** Counts the messages of a request that extends. */
  void extended(int messages) {
    extended.add(messages);
  }

  /** Messages of all requests that extend. */
  long extended() {
    return extended.sum();
  }

  /** What was sent until now. */
  Sent sent() {
    return new Sent(receives.sum(), deletes.sum(), extensions.sum(), others.sum());
  }
}
