package io.queueworker.gate;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Who tries, kept in the record of the key so that a duplicate can be explained.
 *
 * @param worker the worker's id
 * @param messageId the service's message id
 * @param receiveCount how often the message has been received
 * @param leaseLeft how long the message is surely held if no beat comes
 * @param warnings takes a sentence about something that a person should look at; becomes an event and a log line
 * @param lease tells how the message's lease stands; a gate asks when it completes the key, and keeps the answer. Quick, and may
 *     be called on any thread
 */
public record AttemptInfo(
    String worker,
    String messageId,
    int receiveCount,
    Duration leaseLeft,
    Consumer<String> warnings,
    Supplier<LeaseStory> lease) {

  /** An attempt of which nothing is told about the lease's end, such as one of a gate's own tests. */
  public AttemptInfo(
      String worker, String messageId, int receiveCount, Duration leaseLeft, Consumer<String> warnings) {
    this(worker, messageId, receiveCount, leaseLeft, warnings, () -> LeaseStory.UNKNOWN);
  }
}
