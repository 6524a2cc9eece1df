package io.queueworker;

import io.queueworker.queue.QueueTraits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Everything a worker can be told. Checked as a whole when the worker is built.
 *
 * @param workerId names this worker in logs, meters and records; unique among the workers of a queue
 * @param maxConcurrency messages in flight at most, 1 to 100,000
 * @param maxConcurrencyPerGroup messages of one group that are worked on at once, 1 to maxConcurrency; not on a FIFO queue
 * @param maxPollers receives under way at most, 1 to 64
 * @param pollWait how long one receive may wait for a message, 0 s to the service's maximum (20 s on SQS)
 * @param receiveLinger least time from the sending of a receive that came back part-full to the next, 0 s to 10 s
 * @param visibility the visibility timeout to work with, 1 s to below maxHold; empty means the queue's own
 * @param controlTimeout how long one extension, release or delete may take, 100 ms to 30 s
 * @param maxProcessingTime how long one handler run may last, above zero, below maxHold
 * @param stallTimeout how long a handler may go without {@link Delivery#progress()}; empty means for ever
 * @param maxHold how long a message may be held from its receive on, below the service's cap
 * @param drainTimeout how long {@code close()} may take, longer than pollWait
 * @param deleteLinger how long a delete waits for others to fill its batch, 0 s to 10 s
 * @param heartbeat whether leases are extended; off is for tests and for measuring
 * @param gateScope under what name this worker's idempotency keys are kept, 1 to 200 characters
 * @param healthDownAfter how long without a completed receive that was due counts as down, longer than pollWait
 * @param sampleQueue how often to read how many messages the queue has, 5 s to 1 h; zero for never
 * @param sampleDeadLetters whether to read the same of the dead-letter queue
 */
record WorkerSettings(
    String workerId,
    int maxConcurrency,
    Optional<Integer> maxConcurrencyPerGroup,
    int maxPollers,
    Duration pollWait,
    Duration receiveLinger,
    Optional<Duration> visibility,
    Duration controlTimeout,
    Duration maxProcessingTime,
    Optional<Duration> stallTimeout,
    Duration maxHold,
    Duration drainTimeout,
    Duration deleteLinger,
    boolean heartbeat,
    String gateScope,
    Duration healthDownAfter,
    Duration sampleQueue,
    boolean sampleDeadLetters) {

  private static final Duration DAY = Duration.ofDays(1);

  /** Every contradiction and every value out of its range, each a sentence. */
  List<String> problems(QueueTraits traits) {
    Problems problems = new Problems();
    problems.text("workerId", workerId, 100);
    problems.text("gateScope", gateScope, 200);
    problems.range("maxConcurrency", maxConcurrency, 1, 100_000);
    maxConcurrencyPerGroup.ifPresent(
        most -> {
          problems.range("maxConcurrencyPerGroup", most, 1, maxConcurrency);
          if (traits.fifo()) {
            problems.add(
                "maxConcurrencyPerGroup is " + most
                    + ": a FIFO queue has one message of a group handled at a time; leave it unset");
          }
        });
    problems.range("maxPollers", maxPollers, 1, 64);
    problems.range("pollWait", pollWait, Duration.ZERO, traits.maxWait());
    problems.range("receiveLinger", receiveLinger, Duration.ZERO, Duration.ofSeconds(10));
    visibility.ifPresent(
        v -> problems.range("visibility", v, Duration.ofSeconds(1), traits.largestVisibility()));
    if (visibility.isPresent() && !traits.receiveVisibility()) {
      problems.add(
          "visibility is "
              + visibility.get()
              + ": a receive from this service cannot set it; leave it unset and change the queue's own");
    }
    problems.range("controlTimeout", controlTimeout, Duration.ofMillis(100), Duration.ofSeconds(30));
    problems.range("maxProcessingTime", maxProcessingTime, Duration.ofMillis(1), DAY);
    stallTimeout.ifPresent(s -> problems.range("stallTimeout", s, Duration.ofMillis(1), DAY));
    Duration longestHold = traits.totalCap().map(cap -> cap.minusSeconds(10)).orElse(DAY);
    problems.range("maxHold", maxHold, Duration.ofSeconds(1), longestHold);
    problems.range("drainTimeout", drainTimeout, Duration.ofMillis(1), DAY);
    problems.range("deleteLinger", deleteLinger, Duration.ZERO, Duration.ofSeconds(10));
    problems.range("healthDownAfter", healthDownAfter, Duration.ofMillis(1), DAY);
    problems.below("pollWait", pollWait, "healthDownAfter", healthDownAfter,
        "an empty queue lets a receive wait so long");
    if (pollWait.compareTo(healthDownAfter) < 0 && receiveLinger.isPositive()
        && receiveLinger.compareTo(Duration.ofSeconds(10)) <= 0) {
      problems.below("pollWait + receiveLinger", pollWait.plus(receiveLinger), "healthDownAfter", healthDownAfter,
          "receives may complete so far apart");
    }
    if (!sampleQueue.isZero()) {
      problems.range("sampleQueue", sampleQueue, Duration.ofSeconds(5), Duration.ofHours(1));
    } else if (sampleDeadLetters) {
      problems.add("sampleQueue is PT0S and sampleDeadLetters is true: both are read at one rate; set sampleQueue");
    }
    problems.below(
        "maxProcessingTime", maxProcessingTime, "maxHold", maxHold, "a run must end before its message is given up");
    stallTimeout.ifPresent(
        s -> problems.below(
            "stallTimeout", s, "maxProcessingTime", maxProcessingTime, "a later stall is never seen"));
    visibility.ifPresent(
        v -> problems.below("visibility", v, "maxHold", maxHold,
            "a message would be hidden for longer than it is held"));
    Duration pollsMayTake = drainTimeout.minus(Drain.reserve(drainTimeout).dividedBy(2));
    if (pollWait.compareTo(pollsMayTake) > 0) {
      problems.add(
          "drainTimeout is "
              + drainTimeout
              + " and pollWait is "
              + pollWait
              + ": a running receive is never aborted, and close() waits for it for all but a tenth of drainTimeout (2.5 s at"
              + " most); raise drainTimeout or lower pollWait");
    }
    return problems.found;
  }

  private static final class Problems {
    private final List<String> found = new ArrayList<>();

    void add(String problem) {
      found.add(problem);
    }

    void text(String name, String value, int longest) {
      if (value.isBlank() || value.length() > longest) {
        add(name + " is \"" + value + "\": it must have 1 to " + longest + " characters, not all blank");
      }
    }

    void range(String name, int value, int least, int most) {
      if (value < least || value > most) {
        add(name + " is " + value + ": it must be " + least + " to " + most);
      }
    }

    void range(String name, Duration value, Duration least, Duration most) {
      if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
        add(name + " is " + value + ": it must be " + least + " to " + most);
      }
    }

    void below(String name, Duration value, String other, Duration limit, String why) {
      if (value.compareTo(limit) >= 0) {
        add(name + " is " + value + " and " + other + " is " + limit + ": " + name + " must be shorter; " + why);
      }
    }
  }
}
