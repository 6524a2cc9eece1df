package io.queueworker.testkit.chaos;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What stays the same throughout a run. Immutable.
 *
 * @param queue the queue's rules
 * @param queues how many queues there are; they get the same bodies and share the gate's store
 * @param gate what is promised about effects
 * @param workers how many workers run at once, spread over the queues
 * @param bodies how many different messages each queue gets
 * @param twins how many of them are sent twice
 * @param concurrency each worker's permits
 * @param visibility the queue's visibility timeout
 * @param receivesOwn whether the worker sets the visibility timeout itself
 * @param pollWait how long a receive waits
 * @param maxReceiveCount after how many receives a message becomes a dead letter
 * @param anyOrder whether receives bring messages in any order
 * @param maxProcessing how long a handler may run
 * @param stall how long a handler may go without progress
 * @param maxHold how long a message may be held
 * @param control how long an extension, release or delete may take
 * @param deleteLinger how long a delete waits for others
 * @param drain how long a close may take
 * @param retryFirst the longest delay after the first failure; zero retries at once, negative leaves it for redrive
 * @param shortest how long a handler's run takes at least
 * @param longest how long a handler's run takes at most
 * @param effectFirst whether handlers make their effect before their work
 * @param lockWait how long the database lets a transaction wait for a row
 * @param idleLimit after how long the database ends the transaction of a client that has gone
 * @param restart how long a dead worker's successor takes to start
 * @param wallOffsets how far the wall clock of each new machine is off, in turn
 */
public record ChaosSettings(
    QueueKind queue,
    int queues,
    GateKind gate,
    int workers,
    int bodies,
    int twins,
    int concurrency,
    Duration visibility,
    boolean receivesOwn,
    Duration pollWait,
    OptionalInt maxReceiveCount,
    boolean anyOrder,
    Duration maxProcessing,
    Optional<Duration> stall,
    Duration maxHold,
    Duration control,
    Duration deleteLinger,
    Duration drain,
    Duration retryFirst,
    Duration shortest,
    Duration longest,
    boolean effectFirst,
    Duration lockWait,
    Duration idleLimit,
    Duration restart,
    List<Duration> wallOffsets) {

  /** What a lease takes off a visibility timeout for the way of the answer. */
  Duration margin() {
    Duration tenth = visibility.dividedBy(10);
    return tenth.compareTo(Duration.ofSeconds(2)) < 0 ? tenth : Duration.ofSeconds(2);
  }

  /** The same with no message sent twice. */
  ChaosSettings sentOnce() {
    return new ChaosSettings(
        queue, queues, gate, workers, bodies, 0, concurrency, visibility, receivesOwn, pollWait, maxReceiveCount,
        anyOrder, maxProcessing, stall, maxHold, control, deleteLinger, drain, retryFirst, shortest, longest,
        effectFirst, lockWait, idleLimit, restart, wallOffsets);
  }

  @Override
  public String toString() {
    return queues + " x " + queue + ", visibility " + Text.of(visibility) + (receivesOwn ? " (set by the worker)" : "")
        + ", maxReceiveCount " + (maxReceiveCount.isPresent() ? maxReceiveCount.getAsInt() : "none")
        + (anyOrder ? ", any order" : "") + "\n  gate " + gate + ", lock wait " + Text.of(lockWait) + ", idle limit "
        + Text.of(idleLimit) + (effectFirst ? ", effect first" : "") + "\n  " + workers + " workers of " + concurrency
        + ", poll " + Text.of(pollWait) + ", maxProcessingTime " + Text.of(maxProcessing)
        + stall.map(s -> ", stallTimeout " + Text.of(s)).orElse("") + ", maxHold " + Text.of(maxHold) + ", control "
        + Text.of(control) + ", delete linger " + Text.of(deleteLinger) + ", drain " + Text.of(drain) + ", retry "
        + Text.of(retryFirst) + ", restart after " + Text.of(restart) + "\n  " + bodies + " bodies, " + twins
        + " sent twice, handlers of " + Text.of(shortest) + " to " + Text.of(longest) + ", wall clocks off by "
        + wallOffsets.stream().map(Text::of).toList();
  }
}
