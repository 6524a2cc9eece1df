package io.queueworker.examples.chaos;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What the user of {@link ChaosMain} can choose, by system properties. Immutable.
 *
 * @param queues {@code elasticmq}, {@code strict} or both, one after the other; both unless {@code -Dqueue} is given
 * @param kills how many workers are killed, 0 to 10,000, shared by the queues; 20 unless given
 * @param freezes how many times a worker is frozen, 0 to 10,000, shared by the queues; 10 unless given
 * @param workers how many there are at a time, 2 to 16; 4 unless given
 * @param messages how many messages each queue gets at least, 1 to 100,000; 100 unless given
 * @param seed decides about lengths, victims and moments, but not about what the operating system makes of them; random
 *     unless given
 * @param control what is wrong on purpose; nothing unless given
 */
record ChaosOptions(
    List<String> queues, int kills, int freezes, int workers, int messages, long seed, Control control) {

  /** So short that a run does not take long. The workers warn that it is no setting to use. */
  static final Duration VISIBILITY = Duration.ofSeconds(4);

  private static final List<String> ALL = List.of("elasticmq", "strict");

  ChaosOptions {
    inRange("kills", kills, 0, 10_000);
    inRange("freezes", freezes, 0, 10_000);
    inRange("workers", workers, 2, 16);
    inRange("messages", messages, 1, 100_000);
    queues = List.copyOf(queues);
    if (queues.isEmpty() || !ALL.containsAll(queues)) {
      throw new IllegalArgumentException(
          "queue is \"" + String.join(",", queues)
              + "\": give -Dqueue=elasticmq or -Dqueue=strict, or nothing for both");
    }
  }

  /** Reads them; an empty property is as good as none. */
  static ChaosOptions read() {
    String queue = property("queue", "");
    return new ChaosOptions(
        queue.isEmpty() ? ALL : List.of(queue),
        (int) number("kills", 20),
        (int) number("freezes", 10),
        (int) number("workers", 4),
        (int) number("messages", 100),
        number("seed", new SecureRandom().nextInt(1_000_000)),
        Control.of(property("control", Control.NONE.word())));
  }

  /** The same for each queue alone, with its share of the kills and freezes. */
  List<ChaosOptions> rounds() {
    List<ChaosOptions> rounds = new ArrayList<>();
    for (int i = 0; i < queues.size(); i++) {
      rounds.add(
          new ChaosOptions(
              List.of(queues.get(i)), share(kills, i), share(freezes, i), workers, messages, seed + i, control));
    }
    return rounds;
  }

  private int share(int all, int index) {
    return all * (index + 1) / queues.size() - all * index / queues.size();
  }

  /** The first of the queues, the only one of a round. */
  String queue() {
    return queues.getFirst();
  }

  /** After how long a round gives up. */
  Duration timeLimit() {
    return Duration.ofSeconds(90 + 15L * kills + 20L * freezes).plusMillis(300L * messages);
  }

  private static void inRange(String name, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          name + " is " + value + ": give -D" + name + "=" + least + " up to -D" + name + "=" + most);
    }
  }

  private static long number(String name, long otherwise) {
    String text = property(name, Long.toString(otherwise));
    try {
      return name.equals("seed") ? Long.parseLong(text) : Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(name + " is \"" + text + "\": give a whole number", e);
    }
  }

  private static String property(String name, String otherwise) {
    String value = System.getProperty(name, "").strip();
    return value.isEmpty() ? otherwise : value;
  }
}
