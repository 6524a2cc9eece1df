package io.queueworker;

import io.queueworker.handle.InPlace;
import io.queueworker.queue.MessageQueue;
import io.queueworker.queue.QueueAttributes;
import io.queueworker.queue.QueueException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the queue's own settings at the start and finds what a person should change. */
final class QueueCheck {

  private static final Duration SHORTEST_SENSIBLE = Duration.ofSeconds(10);
  private static final Duration WHEN_UNKNOWN = Duration.ofSeconds(30);
  private static final Duration SHORTEST = Duration.ofSeconds(1);

  private static final String DRAG =
      "the queue is FIFO and its dead-letter queue is not known here: a message that keeps failing cannot be rejected, and"
          + " each receive of it also counts for those of its group behind it, which reach the dead-letter queue with it; ";

  private QueueCheck() {}

  /**
   * What the start found.
   *
   * @param visibility the visibility timeout to work with
   * @param followsQueue whether that is the queue's own, to be read again from time to time
   * @param inPlace how a failed message is tried again while its group waits behind it, on a FIFO queue
   * @param attributes what the service said; empty when it must not be read
   * @param warnings sentences for a person
   */
  record Findings(
      Duration visibility,
      boolean followsQueue,
      InPlace inPlace,
      Optional<QueueAttributes> attributes,
      List<String> warnings) {}

  /**
   * Checks the queue.
   *
   * @param rejects whether the failure policy is known to reject messages
   * @throws QueueException when the queue is missing or cannot be reached; a denied read is only a warning
   */
  static Findings check(MessageQueue queue, WorkerSettings settings, boolean rejects) {
    Optional<Duration> visibility = settings.visibility();
    List<String> warnings = new ArrayList<>();
    boolean fifo = queue.traits().fifo();
    Duration forTwo = settings.maxProcessingTime().multipliedBy(2).plus(InPlace.DELETE_MARGIN);
    if (fifo && settings.maxHold().compareTo(forTwo) < 0) {
      warnings.add(
          "maxHold is "
              + settings.maxHold()
              + " and maxProcessingTime is "
              + settings.maxProcessingTime()
              + ": a message that waits behind another of its group may go back unhandled, and each time counts as a receive; let"
              + " maxHold be twice maxProcessingTime and 30 s, or more");
    }
    QueueAttributes attributes;
    try {
      attributes = queue.attributes();
    } catch (QueueException e) {
      if (e.kind() != QueueException.Kind.DENIED) {
        throw e;
      }
      Duration used = visibility.orElse(WHEN_UNKNOWN);
      warnings.add(
          "the queue's settings cannot be read ("
              + e.deniedAction().orElse("permission")
              + " is denied): a visibility timeout of "
              + used.toSeconds()
              + " s is sent with every receive, and redrive settings are unchecked; allow the action, or set visibility()"
              + (rejects
                  ? ". The failure policy rejects messages, and the dead-letter queue is not known: they come back instead"
                  : ""));
      if (fifo) {
        warnings.add(DRAG + "allow the worker to read the queue's settings");
      }
      return new Findings(used, false, InPlace.UNKNOWN, Optional.empty(), warnings);
    }
    Duration own = attributes.visibility();
    Duration used = visibility.orElse(own);
    if (used.compareTo(SHORTEST) < 0) {
      used = WHEN_UNKNOWN;
      warnings.add(
          "the queue's visibility timeout is "
              + own.toSeconds()
              + " s, which hides nothing: 30 s are sent with every receive instead; set the queue's to 30 s or more");
    } else if (used.compareTo(SHORTEST_SENSIBLE) < 0) {
      warnings.add(
          "a visibility timeout of "
              + used.toSeconds()
              + " s leaves little time for a late extension: one pause of the process loses leases; use 10 s or more");
    }
    redrive(attributes, rejects, warnings);
    if (fifo && attributes.maxReceiveCount().isPresent() && attributes.deadLetterQueue().isEmpty()) {
      warnings.add(DRAG + "name a queue that the worker may send to in the redrive policy");
    }
    InPlace inPlace =
        new InPlace(
            attributes.maxReceiveCount().orElse(InPlace.UNKNOWN.attempts()), attributes.deadLetterQueue().isPresent());
    return new Findings(used, visibility.isEmpty() && used.equals(own), inPlace, Optional.of(attributes), warnings);
  }

  private static void redrive(QueueAttributes attributes, boolean rejects, List<String> warnings) {
    if (attributes.maxReceiveCount().isEmpty()) {
      warnings.add(
          "the queue has no redrive policy: a message that always fails comes back until its retention ends; set a"
              + " dead-letter queue with maxReceiveCount 5 or more"
              + (rejects
                  ? ". The failure policy rejects messages, and there is nowhere to send them: they come back instead"
                  : ""));
    } else if (attributes.maxReceiveCount().getAsInt() < 3) {
      warnings.add(
          "maxReceiveCount is "
              + attributes.maxReceiveCount().getAsInt()
              + ": a crash or a lost response also counts as a receive, so good messages reach the dead-letter queue;"
              + " use 5 or more");
    }
  }
}
