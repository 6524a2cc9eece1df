package io.queueworker.observe;

import io.queueworker.queue.ReceivedMessage;
import org.slf4j.MDC;

/**
 * The entries of slf4j's MDC that say, on a handler's thread, which message user code works on, so that its own log lines can
 * name it. Stateless, so thread-safe; acts on the thread that calls.
 */
public final class LogContext {

  /** The queue's name. */
  public static final String QUEUE = "queueworker.queue";

  /** The message's id. */
  public static final String MESSAGE = "queueworker.message";

  /** The message's receive count. */
  public static final String RECEIVE_COUNT = "queueworker.receiveCount";

  /** The message's group; absent where there is none. */
  public static final String GROUP = "queueworker.group";

  private LogContext() {}

  /** Sets the entries, whatever user code did with them before. */
  static void put(String queue, ReceivedMessage message) {
    MDC.put(QUEUE, queue);
    MDC.put(MESSAGE, OneLine.of(message.id()));
    MDC.put(RECEIVE_COUNT, Integer.toString(message.receiveCount()));
    message.group().ifPresent(group -> MDC.put(GROUP, OneLine.of(group)));
  }

  /** Removes the entries; others are left alone. */
  static void remove() {
    MDC.remove(QUEUE);
    MDC.remove(MESSAGE);
    MDC.remove(RECEIVE_COUNT);
    MDC.remove(GROUP);
  }
}
