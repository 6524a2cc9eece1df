package io.queueworker.testkit.simulation;

import io.queueworker.queue.EntryResult;
import io.queueworker.queue.MessageAttribute;
import io.queueworker.queue.QueueException;
import io.queueworker.queue.Receipt;
import io.queueworker.queue.ReceivedMessage;
import io.queueworker.testkit.engine.EngineError;
import io.queueworker.testkit.engine.HandedOut;
import io.queueworker.testkit.engine.QueuedMessage;
import io.queueworker.testkit.engine.Ruling;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The engine's answers in the words of the port. Stateless, so thread-safe. */
final class Answers {

  private static final String REASON = "Reason: ";

  private Answers() {}

  /** What a ruling is for one entry of a batch. */
  static EntryResult result(Ruling ruling) {
    return switch (ruling) {
      case Ruling.Done done -> new EntryResult.Done(new Receipt(done.receipt()));
      case Ruling.WithoutEffect nothing -> new EntryResult.Done(new Receipt(nothing.receipt()));
      case Ruling.Refused refused -> refusal(refused.error());
    };
  }

  private static EntryResult refusal(EngineError error) {
    return switch (error.reason()) {
      case MESSAGE_GONE -> new EntryResult.Gone();
      case RECEIPT_UNKNOWN -> new EntryResult.Lost(error.code());
      case RECEIPT_EXPIRED, HOLD_LIMIT -> new EntryResult.Lost(withoutReceipt(error));
      default -> new EntryResult.Retryable(withoutReceipt(error));
    };
  }

  /** A refusal of a whole receive. */
  static QueueException failure(EngineError error) {
    QueueException.Kind kind =
        error.reason() == EngineError.Reason.OVER_LIMIT
            ? QueueException.Kind.OVER_LIMIT
            : QueueException.Kind.UNAVAILABLE;
    return QueueException.of(kind, error.code() + ": " + withoutReceipt(error), null);
  }

  /** The service's words after those that quote the receipt handle. */
  private static String withoutReceipt(EngineError error) {
    int reason = error.message().indexOf(REASON);
    return reason < 0 ? error.message() : error.message().substring(reason + REASON.length());
  }

  /** A message as the port sees it; {@code start} is the wall clock at the engine's zero. */
  static ReceivedMessage received(HandedOut message, Instant start) {
    Map<String, String> system = message.systemAttributes(start);
    return new ReceivedMessage(
        message.id(),
        new Receipt(message.receipt()),
        message.body(),
        texts(message.attributes()),
        types(message.attributes()),
        message.receiveCount(),
        Optional.of(start.plusNanos(message.sentAt())),
        message.group(),
        system);
  }

  /** A message as tests see it. */
  static SimulatedMessage view(QueuedMessage message) {
    return new SimulatedMessage(message.id(), message.body(), texts(message.attributes()), message.receiveCount());
  }

  private static Map<String, String> types(Map<String, MessageAttribute> attributes) {
    Map<String, String> types = new HashMap<>();
    attributes.forEach((name, attribute) -> types.put(name, attribute.type()));
    types.values().removeIf(MessageAttribute.TEXT::equals);
    return types;
  }

  private static Map<String, String> texts(Map<String, MessageAttribute> attributes) {
    Map<String, String> texts = new HashMap<>();
    attributes.forEach((name, attribute) -> texts.put(name, attribute.value()));
    return texts;
  }
}
