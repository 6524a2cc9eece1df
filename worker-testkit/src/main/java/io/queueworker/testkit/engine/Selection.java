package io.queueworker.testkit.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/** The choice of the messages that one receive gets. Not thread-safe: belongs to its engine. */
final class Selection {

  private final boolean fifo;
  private final QueueSettings settings;
  private final SplittableRandom draws;

  Selection(boolean fifo, QueueSettings settings, SplittableRandom draws) {
    this.fifo = fifo;
    this.settings = settings;
    this.draws = draws;
  }

  /** Up to {@code most} messages that may be handed out now. */
  List<StoredMessage> choose(Collection<StoredMessage> messages, int most, long now) {
    if (most <= 0) {
      return List.of();
    }
    List<StoredMessage> chosen = fifo ? byGroup(messages, most, now) : anyVisible(messages, most, now);
    if (chosen.size() > 1 && settings.partialShare() > 0 && draws.nextDouble() < settings.partialShare()) {
      return chosen.subList(0, 1 + draws.nextInt(chosen.size() - 1));
    }
    return chosen;
  }

  private List<StoredMessage> anyVisible(Collection<StoredMessage> messages, int most, long now) {
    List<StoredMessage> candidates = new ArrayList<>();
    for (StoredMessage message : messages) {
      if (message.isVisible(now) || message.isDuplicate(now)) {
        candidates.add(message);
        if (!settings.isAnyOrder() && candidates.size() == most) {
          return candidates;
        }
      }
    }
    if (!settings.isAnyOrder()) {
      return candidates;
    }
    List<StoredMessage> chosen = new ArrayList<>();
    while (chosen.size() < most && !candidates.isEmpty()) {
      chosen.add(candidates.remove(draws.nextInt(candidates.size())));
    }
    return chosen;
  }

  /** As many of one group as possible, then of others; nothing behind an invisible message (docs/queue-facts.md A3). */
  private List<StoredMessage> byGroup(Collection<StoredMessage> messages, int most, long now) {
    Map<String, List<StoredMessage>> groups = new LinkedHashMap<>();
    Set<String> blocked = new HashSet<>();
    for (StoredMessage message : messages) {
      if (!message.isVisible(now)) {
        blocked.add(message.group());
      } else if (!blocked.contains(message.group())) {
        groups.computeIfAbsent(message.group(), any -> new ArrayList<>()).add(message);
      }
    }
    List<List<StoredMessage>> order = new ArrayList<>(groups.values());
    List<StoredMessage> chosen = new ArrayList<>();
    while (chosen.size() < most && !order.isEmpty()) {
      List<StoredMessage> group = order.remove(settings.isAnyOrder() ? draws.nextInt(order.size()) : 0);
      chosen.addAll(group.subList(0, Math.min(group.size(), most - chosen.size())));
    }
    return chosen;
  }
}
