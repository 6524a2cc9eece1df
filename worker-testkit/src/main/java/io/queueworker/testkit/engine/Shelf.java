package io.queueworker.testkit.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The messages of a queue in the order of sending, and every receipt handle it gave out. Not thread-safe: belongs to its engine. */
final class Shelf {

  private final String name;
  private final Map<String, StoredMessage> messages = new LinkedHashMap<>();
  private final Map<String, Issued> receipts = new HashMap<>();
  private final List<String> deleted = new ArrayList<>();

  /** No message is older than this. */
  private long oldest = StoredMessage.NEVER;

  Shelf(String name) {
    this.name = name;
  }

  /** The messages, in the order of sending. */
  Collection<StoredMessage> messages() {
    return messages.values();
  }

  /** Takes a message in. */
  void add(StoredMessage message) {
    messages.put(message.id, message);
    oldest = Math.min(oldest, message.retainedFrom);
  }

  /** Takes a message away that somebody deleted. */
  void delete(StoredMessage message) {
    deleted.add(message.id);
    message.gone = true;
    messages.remove(message.id);
  }

  /** Counts a delete that does not last: the message comes back later, as if the delete had missed a copy of it. */
  void deleteInVain(StoredMessage message, long comesBackAt) {
    deleted.add(message.id);
    message.life++;
    message.duplicateAt = StoredMessage.NEVER;
    message.hiddenUntil = comesBackAt;
  }

  /** Takes a message away that goes to another queue. */
  void move(StoredMessage message) {
    message.moved = true;
    messages.remove(message.id);
  }

  /** Takes every message away. */
  void purge() {
    messages.values().forEach(message -> message.gone = true);
    messages.clear();
    oldest = StoredMessage.NEVER;
  }

  /** Takes the messages away whose retention ended, also those in flight. */
  void expire(long retentionNanos, long now) {
    if (messages.isEmpty() || now - oldest < retentionNanos) {
      return;
    }
    oldest = StoredMessage.NEVER;
    messages.values().removeIf(message -> {
      message.gone = now - message.retainedFrom >= retentionNanos;
      oldest = message.gone ? oldest : Math.min(oldest, message.retainedFrom);
      return message.gone;
    });
  }

  /** Gives out a receipt handle for a message. */
  Issued issue(StoredMessage message, long until) {
    Issued receipt = new Issued(name + "-receipt-" + (receipts.size() + 1), message, until);
    receipts.put(receipt.handle, receipt);
    message.holders.add(receipt);
    return receipt;
  }

  /** The receipt with this handle; null when none was given out. */
  @Nullable
  Issued receipt(String handle) {
    return receipts.get(handle);
  }

  /** The ids of deleted messages, in order; twice for one that came back. */
  List<String> deleted() {
    return List.copyOf(deleted);
  }
}
