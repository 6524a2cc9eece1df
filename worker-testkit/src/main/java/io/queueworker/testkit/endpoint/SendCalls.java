package io.queueworker.testkit.endpoint;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queueworker.queue.MessageAttribute;
import io.queueworker.testkit.endpoint.BatchRules.Done;
import io.queueworker.testkit.endpoint.EndpointCall.Entry;
import io.queueworker.testkit.engine.EngineException;
import io.queueworker.testkit.engine.MessageSize;
import io.queueworker.testkit.engine.NewMessage;
import io.queueworker.testkit.engine.SentMessage;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** SendMessage and its batch form. Guarded by the lock of the engines. */
final class SendCalls {

  private static final int LONGEST_DELAY = 900;
  private static final String GROUP = "[\\p{Alnum}\\p{Punct}]{1,128}";

  private final Queues queues;

  SendCalls(Queues queues) {
    this.queues = queues;
  }

  CompletableFuture<Effect> send(ApiRequest request, EndpointCall call, HttpFault fault) {
    ServedQueue queue = queues.of(request);
    List<ApiRequest> entries = BatchRules.entries(request);
    if (request.isBatch()) {
      long bytes =
          entries.stream()
              .mapToLong(entry -> MessageSize.of(entry.optional("MessageBody").orElse(""),
                  MessageJson.attributes(entry)))
              .sum();
      Refusal.require(bytes <= ServedQueue.MIB, ServiceError.batchRequestTooLong(bytes));
    }
    return BatchRules.serve(
        request,
        entries,
        fault,
        call,
        (entry, position) -> send(queue, entry),
        (position, code) -> entry("", code));
  }

  private Done send(ServedQueue queue, ApiRequest request) {
    String body = request.required("MessageBody");
    Map<String, MessageAttribute> attributes = MessageJson.attributes(request);
    requireContents(queue, body, attributes);
    Optional<String> group = request.optional("MessageGroupId");
    group.ifPresent(name -> requireId(name, "MessageGroupId"));
    Optional<String> deduplication = request.optional("MessageDeduplicationId");
    deduplication.ifPresent(id -> requireId(id, "MessageDeduplicationId"));
    NewMessage message =
        new NewMessage(body, attributes, group, deduplication, delay(queue, request), traceHeader(request));
    SentMessage sent;
    try {
      sent = queue.engine.send(message, queues.now());
    } catch (EngineException refused) {
      throw new Refusal(refused);
    }
    ObjectNode answer = ApiRequest.newObject();
    answer.put("MessageId", sent.id()).put("MD5OfMessageBody", Checksums.of(body));
    if (!attributes.isEmpty()) {
      answer.put("MD5OfMessageAttributes", Checksums.of(attributes));
    }
    message.traceHeader()
        .map(trace -> Checksums.of(Map.of("AWSTraceHeader", MessageAttribute.text(trace))))
        .ifPresent(md5 -> answer.put("MD5OfMessageSystemAttributes", md5));
    sent.sequenceNumber().ifPresent(number -> answer.put("SequenceNumber", number));
    return new Done(answer, entry(sent.id(), Entry.DONE));
  }

  private static Entry entry(String messageId, String result) {
    return new Entry(messageId, 0, false, false, false, Optional.empty(), result);
  }

  private static void requireContents(ServedQueue queue, String body, Map<String, MessageAttribute> attributes) {
    Refusal.require(
        MessageSize.of(body, attributes) <= queue.maximumMessageSize,
        ServiceError.invalidParameterValue(
            "One or more parameters are invalid. Reason: Message must be shorter than " + queue.maximumMessageSize
                + " bytes."));
    Refusal.require(
        body.codePoints().allMatch(SendCalls::isAllowed),
        ServiceError.of(
            "InvalidMessageContents",
            400,
            "Invalid characters found. Valid unicode characters are #x9 | #xA | #xD | #x20 to #xD7FF | #xE000 to #xFFFD |"
                + " #x10000 to #x10FFFF"));
  }

  private static boolean isAllowed(int character) {
    return character == 0x9
        || character == 0xA
        || character == 0xD
        || (character >= 0x20 && character <= 0xD7FF)
        || (character >= 0xE000 && character <= 0xFFFD)
        || character >= 0x10000;
  }

  private static void requireId(String id, String parameter) {
    Refusal.require(
        id.matches(GROUP),
        ServiceError.invalidParameterValue(
            "Value " + id + " for parameter " + parameter + " is invalid. Reason: " + parameter
                + " can only include alphanumeric and punctuation characters. 1 to 128 in length."));
  }

  /** A FIFO queue takes the delay of the queue; zero asked for one message is not worth a refusal there. */
  private static Optional<Duration> delay(ServedQueue queue, ApiRequest request) {
    Optional<Integer> seconds = request.integer("DelaySeconds");
    seconds.ifPresent(
        given -> Refusal.require(
            given >= 0 && given <= LONGEST_DELAY,
            ServiceError.invalidParameterValue(
                "Value " + given
                    + " for parameter DelaySeconds is invalid. Reason: DelaySeconds must be >= 0 and <= 900.")));
    return seconds.filter(given -> !(queue.engine.isFifo() && given == 0)).map(Duration::ofSeconds);
  }

  private static Optional<String> traceHeader(ApiRequest request) {
    String value =
        request.parameters().path("MessageSystemAttributes").path("AWSTraceHeader").path("StringValue").asText("");
    return value.isEmpty() ? Optional.empty() : Optional.of(value);
  }
}
