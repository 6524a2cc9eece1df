package io.queueworker.examples;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What the user of {@link FortyFiveSecondTaskMain} can choose, by system properties, and the durations that follow from it.
 * Immutable.
 *
 * @param speed by what all durations are divided; 1 unless {@code -Dspeed} is given
 * @param db {@code h2}, or {@code postgres} when {@code -Ddb} says so
 * @param html where the page goes: {@code target/forty-five-seconds.html} unless {@code -Dhtml} is given
 */
record TaskOptions(int speed, String db, Path html) {

  /** With these the visibility timeout stays a whole number of seconds, as SQS counts it. */
  private static final List<Integer> SPEEDS = List.of(1, 2, 3, 5, 6, 10, 15);

  TaskOptions {
    if (!SPEEDS.contains(speed)) {
      throw wrongSpeed(Integer.toString(speed));
    }
    if (!db.equals("h2") && !db.equals("postgres")) {
      throw new IllegalArgumentException("db is \"" + db + "\": give -Ddb=h2 or -Ddb=postgres");
    }
  }

  /** Reads them; an empty property is as good as none. */
  static TaskOptions read() {
    String speed = property("speed", "1");
    try {
      return new TaskOptions(
          Integer.parseInt(speed), property("db", "h2"), Path.of(property("html", "target/forty-five-seconds.html")));
    } catch (NumberFormatException e) {
      throw wrongSpeed(speed);
    }
  }

  private static IllegalArgumentException wrongSpeed(String given) {
    return new IllegalArgumentException(
        "speed is " + given + ": give one of " + SPEEDS + ", with which 30 s stay whole seconds, as SQS counts them");
  }

  private static String property(String name, String otherwise) {
    String value = System.getProperty(name, "");
    return value.isBlank() ? otherwise : value.strip();
  }

  /** The queue's visibility timeout: 30 s. */
  Duration visibility() {
    return scaled(30);
  }

  /** How long the task works: 45 s. */
  Duration task() {
    return scaled(45);
  }

  /** When the task asks for an extension of its own: 5 s after it began. */
  Duration firstStep() {
    return scaled(5);
  }

  /** From when on extensions fail in part 2: 20 s after the receive. */
  Duration failingFrom() {
    return scaled(20);
  }

  /** How long to wait for a part: far longer than two runs, one after the other. */
  Duration timeLimit() {
    return scaled(45 * 4).plusSeconds(60);
  }

  private Duration scaled(int seconds) {
    return Duration.ofSeconds(seconds).dividedBy(speed);
  }
}
