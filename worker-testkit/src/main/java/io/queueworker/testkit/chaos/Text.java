package io.queueworker.testkit.chaos;

import java.time.Duration;

/** Words for values, short and the same everywhere. */
final class Text {

  private Text() {}

  /** A duration in seconds. */
  static String of(Duration length) {
    return length.toMillis() % 1000 == 0 ? length.toSeconds() + " s" : length.toMillis() / 1000.0 + " s";
  }
}
