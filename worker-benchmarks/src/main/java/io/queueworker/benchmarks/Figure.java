package io.queueworker.benchmarks;

/** What is measured of a contender in one round. */
enum Figure {
  /** Messages a second, from the end of the warm-up to the last handler. */
  THROUGHPUT("messages a second", true),
  /** CPU time of the contender's process for 1,000 messages, its compiler and collector included. */
  CPU("CPU ms per 1,000 messages", false),
  /** Bytes that its process allocated for one message. */
  ALLOCATED("bytes allocated per message", false),
  /** Receives and deletes sent for 1,000 messages. */
  REQUESTS("receive + delete requests per 1,000 messages", false),
  /** Receives sent for 1,000 messages. */
  RECEIVES("receive requests per 1,000 messages", false),
  /** Deletes sent for 1,000 messages. */
  DELETES("delete requests per 1,000 messages", false),
  /** From before the send to the start of the handler, the median. */
  PICKUP_P50("send to handler start, p50, ms", false),
  /** The same, 99 of 100. */
  PICKUP_P99("send to handler start, p99, ms", false),
  /** Requests of any kind in a minute without messages. */
  IDLE_REQUESTS("requests a minute, idle", false),
  /** CPU time of the process in a minute without messages. */
  IDLE_CPU("CPU ms a minute, idle", false),
  /** From the call of close to its return. */
  CLOSE_MILLIS("close takes, ms", false),
  /** Messages that are hidden after the close, and come back to others only when their visibility timeout is over. */
  LEFT_IN_FLIGHT("left in flight by close", false),
  /** Messages whose handler ended before the close did, and which come again. */
  HANDLED_NOT_DELETED("handled and not deleted by close", false),
  /** From the start to the moment at which all messages are in flight. */
  FILL_MILLIS("until all are in flight, ms", false),
  /** Live heap for one message beyond what a message and a virtual thread cost that waits in the same handler. */
  HEAP_BEYOND("heap per message beyond message + thread, bytes", false),
  /** The part of it that is the thread's deeper stack. */
  HEAP_BEYOND_STACKS("of that the thread's deeper stack, bytes", false),
  /** What that message and that thread cost. */
  HEAP_BASE("heap of a message and its thread, bytes", false),
  /** Platform threads of the process, all of them. */
  THREADS("platform threads", false),
  /** CPU time of the process while all messages are in flight. */
  HELD_CPU("CPU ms a minute, all in flight", false),
  /** Requests that extend. */
  EXTENSIONS("extension requests", false),
  /** How many messages such a request carries, ten at most. */
  EXTENSION_BATCH("messages in an extension request, mean", true),
  /** Those requests for one message that is in flight for a minute. */
  EXTENSIONS_PER_MINUTE("extension requests per in-flight message-minute", false),
  /** Those requests, compared with ten messages to a request and one request for each beat interval. */
  EXTENSIONS_OF_FLOOR("extension requests of the floor, times", false),
  /** How late a beat is that the interval asks for, by what the service sees. */
  LATENESS_P50("beat lateness p50, % of the interval", false),
  /** The same, 99 of 100. */
  LATENESS_P99("beat lateness p99, % of the interval", false),
  /** The same, the worst. */
  LATENESS_MAX("beat lateness most, % of the interval", false),
  /** Messages whose visibility timeout ran out while they were in flight, or that the worker gave up. */
  LOST("leases lost", false),
  /** Handler starts beyond one for each message. */
  DUPLICATES("messages handled again", false);

  private final String words;
  private final boolean moreIsBetter;

  Figure(String words, boolean moreIsBetter) {
    this.words = words;
    this.moreIsBetter = moreIsBetter;
  }

  /** What it is, with its unit. */
  String words() {
    return words;
  }

  /** Whether {@code value} is better than {@code other}. */
  boolean better(double value, double other) {
    return moreIsBetter ? value > other : value < other;
  }
}
