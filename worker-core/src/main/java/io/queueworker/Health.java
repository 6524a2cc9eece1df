package io.queueworker;

import io.queueworker.queue.MessageCounts;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * How a worker is doing at one moment. Immutable. {@code docs/health.md} has a page on it, with a probe over HTTP.
 *
 * @param status what the worst of the reasons says; UP when there is none
 * @param reasons what is wrong, the worst first
 * @param state where it is in its life
 * @param lastReceive when a receive last completed, empty ones included
 * @param receiveDue how long a receive has been due without one that completed; empty when none is due, as while the worker
 *     is paused or has all that it may have in flight. Up to {@code pollWait} is normal: so long an empty queue makes it wait
 * @param beatsLate how long the latest beat that is due has gone without success; zero when none is due
 * @param inFlight messages received and not yet settled
 * @param heldLongest how long the message that has been held for longest has been; zero when none is in flight
 * @param oldest the handler that has run for longest
 * @param stuck threads of handlers that were told to end and have not
 * @param breaker the circuit breaker and its state in words; empty when there is none
 * @param pauses why it does not receive as it could, with the reason in words; empty when it does
 * @param denied permissions that the service denies, by their names in a policy
 * @param drain how far the close is; empty before one begins
 * @param sample what was last read of how many messages the queue has; empty while nothing was
 * @param warnings what the start found that a person should look at
 */
public record Health(
    Status status,
    List<HealthReason> reasons,
    WorkerState state,
    Optional<Instant> lastReceive,
    Optional<Duration> receiveDue,
    Duration beatsLate,
    int inFlight,
    Duration heldLongest,
    Optional<Oldest> oldest,
    List<String> stuck,
    Optional<String> breaker,
    Map<PauseReason, String> pauses,
    Set<String> denied,
    Optional<DrainProgress> drain,
    Optional<QueueSample> sample,
    List<String> warnings) {

  /** What a probe should make of a worker, from good to bad. */
  public enum Status {
    /** It does what it should. */
    UP,
    /** It works in part, or waits for something outside that a restart does not mend. */
    DEGRADED,
    /** It does not work, or not yet, or not any more. */
    DOWN
  }

  /**
   * A handler that runs.
   *
   * @param messageId its message
   * @param receiveCount which receive of the message it is, by the service's receive count
   * @param running how long it has run
   */
  public record Oldest(String messageId, int receiveCount, Duration running) {}

  /**
   * How far a close is.
   *
   * @param inFlight messages in flight when it began
   * @param left how many of them are left
   * @param budgetLeft what is left of its budget
   */
  public record DrainProgress(int inFlight, int left, Duration budgetLeft) {}

  /**
   * How many messages there were, by the service's count, which is approximate.
   *
   * @param queue in the worker's queue
   * @param deadLetters in its dead-letter queue; empty unless {@link WorkerBuilder#sampleDeadLetters} asks for it
   * @param at when it was read
   */
  public record QueueSample(MessageCounts queue, Optional<MessageCounts> deadLetters, Instant at) {}

  /** Whether one of the reasons is of this kind. */
  public boolean has(HealthReason.Kind kind) {
    return reasons.stream().anyMatch(reason -> reason.kind() == kind);
  }

  /** Everything here as a few lines for a person. */
  public String text() {
    return HealthText.of(this);
  }

  /** Everything here as one line of JSON for a probe; {@code docs/health.md} lists its fields. */
  public String json() {
    return HealthJson.of(this);
  }

  /** The same as {@link #text()}. */
  @Override
  public String toString() {
    return text();
  }
}
