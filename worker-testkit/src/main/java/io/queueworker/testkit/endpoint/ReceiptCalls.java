package io.queueworker.testkit.endpoint;

import io.queueworker.testkit.endpoint.BatchRules.Done;
import io.queueworker.testkit.endpoint.EndpointCall.Entry;
import io.queueworker.testkit.engine.EngineError;
import io.queueworker.testkit.engine.QueueEngine;
import io.queueworker.testkit.engine.ReceiptState;
import io.queueworker.testkit.engine.Ruling;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The calls about messages that were received: changes of visibility and deletes. Guarded by the lock of the engines. */
final class ReceiptCalls {

  private static final String HANDLE = "ReceiptHandle";
  private static final String VISIBILITY = "VisibilityTimeout";

  private final Queues queues;

  ReceiptCalls(Queues queues) {
    this.queues = queues;
  }

  /** What the log says of a call's messages on arrival. */
  List<Entry> onArrival(ApiRequest request) {
    ServedQueue queue = queues.find(request.queueName());
    List<Entry> entries = new ArrayList<>();
    for (ApiRequest entry : request.entries()) {
      ReceiptState state = queue == null ? ReceiptState.UNKNOWN : state(queue.engine, entry);
      Optional<Duration> visibility =
          request.operation() == Operation.CHANGE_VISIBILITY
              ? entry.integer(VISIBILITY).map(Duration::ofSeconds)
              : Optional.empty();
      entries.add(new Entry(state.messageId(), state.receive(), state.held(), state.inTime(), false, visibility, ""));
    }
    return entries;
  }

  /** ChangeMessageVisibility and its batch form. */
  CompletableFuture<Effect> changeVisibility(ApiRequest request, EndpointCall call, HttpFault fault) {
    return serve(request, call, fault, (engine, entry) -> {
      int seconds =
          entry.integer(VISIBILITY).orElseThrow(() -> new Refusal(ServiceError.missingParameter(VISIBILITY)));
      return engine.changeVisibility(entry.required(HANDLE), seconds, queues.now());
    });
  }

  /** DeleteMessage and its batch form. */
  CompletableFuture<Effect> delete(ApiRequest request, EndpointCall call, HttpFault fault) {
    return serve(request, call, fault, (engine, entry) -> engine.delete(entry.required(HANDLE), queues.now()));
  }

  /** Asks the engine. */
  private interface Question {
    Ruling ask(QueueEngine engine, ApiRequest entry);
  }

  private CompletableFuture<Effect> serve(ApiRequest request, EndpointCall call, HttpFault fault, Question question) {
    QueueEngine engine = queues.of(request).engine;
    return BatchRules.serve(
        request,
        BatchRules.entries(request),
        fault,
        call,
        (entry, position) -> {
          boolean held = state(engine, entry).held();
          String result = switch (question.ask(engine, entry)) {
            case Ruling.Done done -> Entry.DONE;
            case Ruling.WithoutEffect nothing -> Entry.WITHOUT_EFFECT;
            case Ruling.Refused refused -> throw new Refusal(error(refused.error(), request.isBatch()));
          };
          return new Done(ApiRequest.newObject(), call.entries().get(position).ended(held, result));
        },
        (position, code) -> call.entries().get(position).ended(false, code));
  }

  private ReceiptState state(QueueEngine engine, ApiRequest entry) {
    return engine.describe(entry.optional(HANDLE).orElse(""), queues.now());
  }

  /** An entry of a batch has a code of its own when its receipt's time ran out (docs/queue-facts.md A1). */
  private static ServiceError error(EngineError error, boolean batch) {
    return batch && error.reason() == EngineError.Reason.RECEIPT_EXPIRED
        ? ServiceError.receiptHandleIsInvalid().withMessage("The receipt handle has expired")
        : ServiceError.of(error);
  }
}
