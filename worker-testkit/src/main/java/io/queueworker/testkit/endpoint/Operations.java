package io.queueworker.testkit.endpoint;

import io.queueworker.testkit.endpoint.EndpointCall.Entry;
import io.queueworker.testkit.endpoint.EndpointCall.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** What the endpoint can do, by operation. Guarded by the lock of the engines. */
final class Operations {

  private final Queues queues;
  private final SendCalls sends;
  private final ReceiveCalls receives;
  private final ReceiptCalls receipts;
  private final QueueCalls queueCalls;

  /**
   * Operations on these queues.
   *
   * @param start the wall clock at the engines' nanosecond zero
   */
  Operations(Queues queues, Instant start) {
    this.queues = queues;
    this.sends = new SendCalls(queues);
    this.receives = new ReceiveCalls(queues, start);
    this.receipts = new ReceiptCalls(queues);
    this.queueCalls = new QueueCalls(queues, new AttributeRules(queues, start));
  }

  /** A call as it arrives, for the log. */
  EndpointCall arrived(int number, ApiRequest request) {
    boolean receive = request.operation() == Operation.RECEIVE;
    List<Entry> entries =
        switch (request.operation()) {
          case CHANGE_VISIBILITY, DELETE -> receipts.onArrival(request);
          case SEND -> Collections.nCopies(
              request.entries().size(),
              new Entry("", 0, false, false, false, Optional.empty(), ""));
          default -> List.of();
        };
    return new EndpointCall(
        number,
        request.operation(),
        request.isBatch(),
        request.queueName(),
        Duration.ofNanos(queues.now()),
        receive ? ReceiveCalls.asked(request) : entries.size(),
        receive ? receives.longPoll(request) : Duration.ZERO,
        entries,
        Outcome.UNDER_WAY,
        "");
  }

  /** What serves a call. */
  Effect.Maker of(ApiRequest request) {
    return switch (request.operation()) {
      case SEND -> sends::send;
      case RECEIVE -> receives::receive;
      case CHANGE_VISIBILITY -> receipts::changeVisibility;
      case DELETE -> receipts::delete;
      case GET_ATTRIBUTES -> queueCalls::getAttributes;
      case SET_ATTRIBUTES -> queueCalls::setAttributes;
      case CREATE_QUEUE -> queueCalls::create;
      case GET_QUEUE_URL -> queueCalls::url;
      case DELETE_QUEUE -> queueCalls::delete;
      case PURGE_QUEUE -> queueCalls::purge;
      case LIST_QUEUES -> queueCalls::list;
      case LIST_DEAD_LETTER_SOURCES -> queueCalls::listDeadLetterSources;
      case UNKNOWN -> throw new Refusal(
          ServiceError.of("InvalidAction", 400, "The action " + request.name() + " is not valid for this endpoint."));
    };
  }
}
