package io.queueworker.benchmarks;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** The body of a message: its number, when it was sent, and something that makes it as long as a small order. */
final class Body {

  private static final String FILL =
      " {\"customer\":\"4711\",\"item\":\"a small thing\",\"amount\":1,\"currency\":\"EUR\"}";

  private Body() {}

  /** The body of message {@code index}, sent now. */
  static String of(int index) {
    return index + " " + micros() + FILL;
  }

  /** Which message it is. */
  static int index(String body) {
    return Integer.parseInt(body, 0, body.indexOf(' '), 10);
  }

  /** How long ago it was sent, in microseconds: all processes of a run read one machine's clock. */
  static long microsSinceSent(String body) {
    int from = body.indexOf(' ') + 1;
    return micros() - Long.parseLong(body, from, body.indexOf(' ', from), 10);
  }

  private static long micros() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
  }
}
