package io.queueworker.testkit.endpoint;

import io.queueworker.testkit.engine.Alarm;
import io.queueworker.testkit.engine.LongPolls;
import io.queueworker.testkit.engine.QueueEngine;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A queue at the endpoint: its engine, the receives that wait at it, and the attributes that rule no message. Guarded by the lock of the engines. */
final class ServedQueue {

  static final int MIB = 1 << 20;

  final QueueEngine engine;
  final LongPolls polls;
  final String url;

  /** Attributes that are kept and change nothing here, by name. */
  final Map<String, String> others = new TreeMap<>();

  int longPollSeconds;
  int maximumMessageSize = MIB;

  /** When it was purged last, in the engine's nanoseconds. */
  @Nullable Long purgedAt;

  ServedQueue(QueueEngine engine, String url, Alarm alarm) {
    this.engine = engine;
    this.url = url;
    this.polls = new LongPolls(engine, alarm);
  }

  /** Its name. */
  String name() {
    return engine.name();
  }
}
