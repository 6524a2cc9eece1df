package io.queueworker.queue.sqs;

import io.queueworker.queue.MessageAttribute;
import io.queueworker.queue.OutgoingMessage;
import io.queueworker.queue.SendResult;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeNameForSends;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeValue;
import software.amazon.awssdk.services.sqs.model.SendMessageRequest;

/** The sends to one queue. Immutable; thread-safe as the SDK's client is. */
final class SqsSends {

  private static final String SEND = "sqs:SendMessage";

  /** The codes for a message that the service will not take however often it is sent. */
  private static final Set<String> REFUSALS =
      Set.of(
          "BatchRequestTooLong",
          "InvalidAttributeName",
          "InvalidAttributeValue",
          "InvalidMessageContents",
          "InvalidParameterCombination",
          "InvalidParameterValue",
          "InvalidParameterValueException",
          "MissingParameter",
          "MissingRequiredParameterException",
          "UnsupportedOperation");

  private final SqsUrl url;
  private final SqsClient client;

  SqsSends(SqsUrl url, SqsClient client) {
    this.url = url;
    this.client = client;
  }

  /** Sends one message. */
  SendResult send(OutgoingMessage message, Duration timeout) {
    if (timeout.isNegative() || timeout.isZero()) {
      return new SendResult.Retryable("not sent: no time is left for the call");
    }
    SendMessageRequest request;
    try {
      request = toCall(message, timeout);
    } catch (IllegalArgumentException notBase64) {
      return new SendResult.Refused("queue=" + url.name() + " a binary attribute is not Base64");
    }
    try {
      return new SendResult.Sent(client.sendMessage(request).messageId());
    } catch (RuntimeException failed) {
      return result(SqsFailure.of(failed, List.of()));
    }
  }

  private SendResult result(SqsFailure failure) {
    String reason = "queue=" + url.name() + " " + SEND + " failed: ";
    String said = failure.code().isEmpty() ? failure.text() : failure.code() + ": " + failure.text();
    return switch (failure.meaning()) {
      case DENIED -> new SendResult.Denied(SEND);
      // A send to an encrypted queue needs both; the service names the one that is missing.
      case KEY_DENIED ->
          new SendResult.Denied(failure.text().contains("GenerateDataKey") ? "kms:GenerateDataKey" : "kms:Decrypt");
      // Renewed credentials help, and until then no permission would.
      case CREDENTIALS -> new SendResult.Retryable(reason + failure.credentialsRemedy());
      case THROTTLED, OVER_LIMIT, MISSING -> new SendResult.Retryable(reason + said);
      case LOST, GONE, UNAVAILABLE ->
          REFUSALS.contains(failure.code())
              ? new SendResult.Refused(reason + said)
              : new SendResult.Retryable(reason + said);
    };
  }

  private SendMessageRequest toCall(OutgoingMessage message, Duration timeout) {
    SendMessageRequest.Builder call =
        SendMessageRequest.builder()
            .queueUrl(url.text())
            .messageBody(message.body())
            .overrideConfiguration(SqsCalls.within(timeout));
    Map<String, MessageAttributeValue> attributes = new HashMap<>();
    message.attributes().forEach((name, attribute) -> attributes.put(name, value(attribute)));
    if (!attributes.isEmpty()) {
      call.messageAttributes(attributes);
    }
    message.group().ifPresent(call::messageGroupId);
    message.deduplicationId().ifPresent(call::messageDeduplicationId);
    message.traceHeader().ifPresent(
        trace -> call.messageSystemAttributes(
            Map.of(
                MessageSystemAttributeNameForSends.AWS_TRACE_HEADER,
                MessageSystemAttributeValue.builder().dataType(MessageAttribute.TEXT).stringValue(trace).build())));
    return call.build();
  }

  private static MessageAttributeValue value(MessageAttribute attribute) {
    MessageAttributeValue.Builder value = MessageAttributeValue.builder().dataType(attribute.type());
    return attribute.isBinary()
        ? value.binaryValue(SdkBytes.fromByteArray(Base64.getDecoder().decode(attribute.value()))).build()
        : value.stringValue(attribute.value()).build();
  }
}
