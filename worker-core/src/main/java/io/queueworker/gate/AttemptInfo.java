package io.queueworker.gate;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * Who tries, kept in the record of the key so that a duplicate can be explained.
 *
 * @param worker the worker's id
 * @param messageId the service's message id
 * @param receiveCount how often the message has been received
 * @param leaseLeft how long the message is surely held if no beat comes
 * @param warnings takes a sentence about something that a person should look at; becomes an event and a log line
 */
public record AttemptInfo(
    String worker, String messageId, int receiveCount, Duration leaseLeft, Consumer<String> warnings) {}
