package io.queueworker.testkit.engine;

import java.util.Optional;
import java.util.function.Supplier;

/** The sends to a queue, with the repetitions that a FIFO queue recognises. Not thread-safe: belongs to its engine. */
final class Sends {

  private final boolean fifo;
  private final QueueSettings settings;
  private final Shelf shelf;
  private final Deduplication deduplication = new Deduplication();
  Supplier<String> ids;
  private int sent;

  Sends(String queue, boolean fifo, QueueSettings settings, Shelf shelf) {
    this.fifo = fifo;
    this.settings = settings;
    this.shelf = shelf;
    this.ids = () -> queue + "-" + sent;
  }

  /** Takes a message in, unless it is a repetition. */
  SentMessage send(NewMessage message, long now) {
    SendRules.require(message, fifo, settings);
    if (!fifo) {
      return add(message, Optional.empty(), Optional.empty(), now);
    }
    String id = message.deduplicationId().orElseGet(() -> Deduplication.ofContent(message.body()));
    String key = settings.isDeduplicationPerGroup() ? id + "\n" + message.group().orElse("") : id;
    SentMessage earlier = deduplication.earlier(key, now);
    if (earlier != null) {
      return new SentMessage(earlier.id(), earlier.sequenceNumber(), true);
    }
    SentMessage added = add(message, Optional.of(id), Optional.of(nextSequenceNumber()), now);
    deduplication.add(key, added, now);
    return added;
  }

  /** Forgets what it would recognise. */
  void forget() {
    deduplication.clear();
  }

  private SentMessage add(
      NewMessage message, Optional<String> deduplicationId, Optional<String> sequenceNumber, long now) {
    sent++;
    StoredMessage stored =
        new StoredMessage(ids.get(), message, deduplicationId, sequenceNumber, Optional.empty(), now, now);
    stored.hiddenUntil = now + message.delay().orElse(settings.delay()).toNanos();
    shelf.add(stored);
    return new SentMessage(stored.id, sequenceNumber, false);
  }

  /** Twenty digits that grow, with gaps between them, as the service's do. */
  private String nextSequenceNumber() {
    return "1885" + String.format("%016d", 256L * (sent + 1));
  }
}
