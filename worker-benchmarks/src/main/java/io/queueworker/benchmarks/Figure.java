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
