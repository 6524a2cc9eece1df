package io.queueworker.testkit.endpoint;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queueworker.testkit.endpoint.EndpointCall.Entry;
import io.queueworker.testkit.engine.EngineException;
import io.queueworker.testkit.engine.HandedOut;
import io.queueworker.testkit.engine.RequestRules;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** ReceiveMessage. Guarded by the lock of the engines. */
final class ReceiveCalls {

  private static final int LONGEST_ATTEMPT_ID = 128;
  private static final String SENDER = "AIDA000000000000TEST";

  private final Queues queues;
  private final Instant start;

  /**
   * Receives.
   *
   * @param start the wall clock at the engines' nanosecond zero
   */
  ReceiveCalls(Queues queues, Instant start) {
    this.queues = queues;
    this.start = start;
  }

  /** How many messages a call asks for. */
  static int asked(ApiRequest request) {
    return request.integer("MaxNumberOfMessages").orElse(1);
  }

  /** How long a call is ready to wait. */
  Duration longPoll(ApiRequest request) {
    ServedQueue queue = queues.find(request.queueName());
    int standard = queue == null ? 0 : queue.longPollSeconds;
    return Duration.ofSeconds(request.integer("WaitTimeSeconds").orElse(standard));
  }

  /** Answers when there are messages, or none came in time; whether the client still waits is nothing to it. */
  CompletableFuture<Effect> receive(ApiRequest request, EndpointCall call, HttpFault fault) {
    ServedQueue queue = queues.of(request);
    CompletableFuture<Effect> effect = new CompletableFuture<>();
    try {
      RequestRules.requireMaxNumberOfMessages(asked(request));
      int wait = Math.toIntExact(longPoll(request).toSeconds());
      RequestRules.requireWaitTimeSeconds(wait);
      request.integer("VisibilityTimeout").ifPresent(RequestRules::requireVisibilityTimeout);
      Duration visibility =
          request.integer("VisibilityTimeout").map(Duration::ofSeconds).orElse(queue.engine.settings().visibility());
      queue.polls.receive(
          asked(request),
          visibility.toNanos(),
          Duration.ofSeconds(wait).toNanos(),
          attemptId(queue, request),
          messages -> effect.complete(effect(request, messages)));
    } catch (EngineException refused) {
      throw new Refusal(refused);
    }
    return effect;
  }

  private static Optional<String> attemptId(ServedQueue queue, ApiRequest request) {
    Optional<String> attempt = request.optional("ReceiveRequestAttemptId");
    attempt.ifPresent(id -> {
      Refusal.require(
          queue.engine.isFifo(),
          ServiceError.invalidParameterValue(
              "Value " + id + " for parameter ReceiveRequestAttemptId is invalid. Reason: The request include parameter"
                  + " that is not valid for this queue type."));
      Refusal.require(
          id.length() <= LONGEST_ATTEMPT_ID,
          ServiceError.invalidParameterValue(
              "Value " + id + " for parameter ReceiveRequestAttemptId is invalid. Reason: ReceiveRequestAttemptId can"
                  + " only include alphanumeric and punctuation characters. 1 to 128 in length."));
    });
    return attempt;
  }

  private Effect effect(ApiRequest request, List<HandedOut> messages) {
    List<String> system =
        Stream.of("AttributeNames", "MessageSystemAttributeNames").flatMap(name -> request.texts(name).stream())
            .toList();
    List<String> own = request.texts("MessageAttributeNames");
    ObjectNode body = ApiRequest.newObject();
    if (!messages.isEmpty()) {
      ArrayNode list = body.putArray("Messages");
      messages.forEach(message -> write(list.addObject(), message, system, own));
    }
    return new Effect(
        body,
        messages.stream()
            .map(m -> new Entry(m.id(), m.receiveCount(), true, true, true, Optional.empty(), Entry.DONE))
            .toList());
  }

  private void write(ObjectNode json, HandedOut message, List<String> system, List<String> own) {
    json.put("MessageId", message.id())
        .put("ReceiptHandle", message.receipt())
        .put("MD5OfBody", Checksums.of(message.body()))
        .put("Body", message.body());
    Map<String, String> attributes = new TreeMap<>(message.systemAttributes(start));
    attributes.put("SenderId", SENDER);
    MessageJson.addSystem(json, attributes, system);
    MessageJson.add(json, message.attributes(), own);
  }
}
