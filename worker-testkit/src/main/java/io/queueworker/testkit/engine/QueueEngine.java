package io.queueworker.testkit.engine;

import io.queueworker.queue.MessageCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * One queue and the rules that its service has for it (docs/queue-facts.md).
 *
 * <p>It has no thread and no clock: every call takes {@code now}, in nanoseconds since a fixed start, never negative and never earlier than
 * before. What it does depends on its calls and on the given random source alone. No call waits; {@link LongPolls} adds waiting.
 *
 * <p>On a standard queue an old receipt still acts on a message that somebody else holds by now, a receipt whose time ran out answers well
 * and does nothing when the visibility is changed, and a delete always works. A FIFO queue refuses receipts whose time ran out, and hands
 * nothing out behind an invisible message of the same group.
 *
 * <p>Not thread-safe: its owner guards it with a lock, or uses it on one thread.
 */
public final class QueueEngine {

  private final String name;
  private final Manner manner;
  private final SplittableRandom draws;
  private final QueueSettings settings;
  private final Shelf shelf;
  private final Sends sends;
  private final Receives receives;
  private final Rulings rulings;
  private final List<Runnable> listeners = new ArrayList<>();

  private QueueEngine(String name, Manner manner, SplittableRandom draws) {
    this.name = name;
    this.manner = manner;
    this.draws = draws;
    this.settings = new QueueSettings(manner);
    this.shelf = new Shelf(name);
    this.sends = new Sends(name, isFifo(), settings, shelf);
    this.receives = new Receives(this, shelf, draws);
    this.rulings = new Rulings(manner, settings, shelf, draws);
  }

  /** An empty standard queue of Amazon SQS. */
  public static QueueEngine standard(String name, SplittableRandom draws) {
    return new QueueEngine(name, Manner.STANDARD, draws);
  }

  /** An empty FIFO queue of Amazon SQS; the name ends in {@code .fifo}. */
  public static QueueEngine fifo(String name, SplittableRandom draws) {
    if (!name.endsWith(".fifo")) {
      throw new IllegalArgumentException("name = " + name + ": the name of a FIFO queue ends in .fifo");
    }
    return new QueueEngine(name, Manner.FIFO, draws);
  }

  /**
   * An empty queue of Alibaba Cloud SMQ: each change of visibility gives a new receipt and ends the old one, one second is the shortest
   * visibility, and receipts whose time ran out are refused.
   */
  public static QueueEngine smqLike(String name, SplittableRandom draws) {
    return new QueueEngine(name, Manner.SMQ, draws);
  }

  /** An empty queue of the same kind with this queue's name, a dash and {@code suffix}. */
  public QueueEngine sibling(String suffix) {
    String end = isFifo() ? ".fifo" : "";
    String start = name.substring(0, name.length() - end.length());
    return new QueueEngine(start + "-" + suffix + end, manner, draws);
  }

  /** The queue's name. */
  public String name() {
    return name;
  }

  /** The queue's ARN. */
  public String arn() {
    return "arn:aws:sqs:us-east-1:000000000000:" + name;
  }

  /** Whether it keeps order inside message groups. */
  public boolean isFifo() {
    return manner == Manner.FIFO;
  }

  Manner manner() {
    return manner;
  }

  /** Its settings, which may be changed. */
  public QueueSettings settings() {
    return settings;
  }

  /** Makes message ids; the queue's name and a number unless set. */
  public QueueEngine messageIds(Supplier<String> source) {
    sends.ids = source;
    return this;
  }

  /** Calls {@code listener} after each change that may make a message receivable at once. It must not call the engine. */
  void onChange(Runnable listener) {
    listeners.add(listener);
  }

  /**
   * Takes a message in.
   *
   * @throws EngineException when the message does not fit the kind of queue
   */
  public SentMessage send(NewMessage message, long now) {
    SentMessage answer = sends.send(message, now);
    changed();
    return answer;
  }

  /**
   * Hides up to {@code max} messages and hands them out; moves those received too often to the dead-letter queue, and each of
   * them takes the place of a message.
   *
   * @param visibilityNanos how long they are hidden
   * @param requestedAt when the request arrived, which the limit on the hold counts from
   * @param attemptId {@code ReceiveRequestAttemptId}; only a FIFO queue heeds it
   */
  public List<HandedOut> receive(
      int max, long visibilityNanos, long requestedAt, long now, Optional<String> attemptId) {
    expire(now);
    int most = Math.min(max, settings.inFlightLimit() - inFlight(now));
    return receives.receive(most, visibilityNanos, requestedAt, now, attemptId);
  }

  /** Takes a message in that another queue gives up. */
  void takeDeadLetter(StoredMessage message, String source, long now) {
    shelf.add(message.asDeadLetter(source, isFifo(), now));
    changed();
  }

  /** Sets how long the message of a receipt stays hidden, counted from now; zero makes it visible. */
  public Ruling changeVisibility(String receipt, long seconds, long now) {
    expire(now);
    Ruling ruling = rulings.changeVisibility(receipt, seconds, now);
    changed();
    return ruling;
  }

  /** Deletes the message of a receipt. */
  public Ruling delete(String receipt, long now) {
    expire(now);
    Ruling ruling = rulings.delete(receipt, now);
    changed();
    return ruling;
  }

  /** Takes every message away, also those in flight, and forgets the deduplication ids. */
  public void purge() {
    shelf.purge();
    sends.forget();
  }

  /** What is known about a receipt, for logs. */
  public ReceiptState describe(String receipt, long now) {
    expire(now);
    Issued known = shelf.receipt(receipt);
    return known == null
        ? ReceiptState.UNKNOWN
        : new ReceiptState(known.message.id, known.receive, known.isOfHolder(now), known.isInTime(now));
  }

  /** When the next message may become receivable by time alone, if any can. */
  public OptionalLong nextChange(long now) {
    long retention = settings.retention().toNanos();
    return shelf.messages().stream()
        .filter(message -> !message.isVisible(now))
        .mapToLong(
            message -> {
              // A head whose retention ends frees its group.
              long end = isFifo() ? message.retainedFrom + retention : StoredMessage.NEVER;
              long duplicate = message.duplicateAt > now ? message.duplicateAt : StoredMessage.NEVER;
              return Math.min(message.hiddenUntil, Math.min(end, duplicate));
            })
        .min();
  }

  /** How many messages it has; on a FIFO queue those that wait for their group are visible. */
  public MessageCounts counts(long now) {
    expire(now);
    int visible = list(true, now).size();
    int inFlight = inFlight(now);
    return new MessageCounts(visible, inFlight, shelf.messages().size() - visible - inFlight);
  }

  /** The messages that nothing hides, or those that are hidden, in the order of sending. */
  public List<QueuedMessage> list(boolean visible, long now) {
    expire(now);
    return shelf.messages().stream().filter(m -> m.isVisible(now) == visible).map(StoredMessage::view).toList();
  }

  /** All messages, in the order of sending. */
  public List<QueuedMessage> list(long now) {
    expire(now);
    return shelf.messages().stream().map(StoredMessage::view).toList();
  }

  /** The ids of deleted messages, in order; again for one that came back after its delete. */
  public List<String> deleted() {
    return shelf.deleted();
  }

  /**
   * Refuses a short poll when too many messages are in flight (docs/queue-facts.md A5); a FIFO queue never does.
   *
   * @throws EngineException {@code OverLimit}
   */
  void requireRoom(long now) {
    expire(now);
    if (!isFifo() && inFlight(now) >= settings.inFlightLimit()) {
      throw EngineError.overLimit().refusal();
    }
  }

  private int inFlight(long now) {
    return (int) shelf.messages().stream().filter(message -> message.isInFlight(now)).count();
  }

  private void expire(long now) {
    shelf.expire(settings.retention().toNanos(), now);
  }

  /** Tells those that wait that they may look again. */
  void changed() {
    listeners.forEach(Runnable::run);
  }
}
