package io.queueworker.examples.chaos;

import io.queueworker.examples.chaos.Task.Form;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Which tasks a run has. Seven in ten take less than a beat, two up to a visibility timeout, one several beats; one in
 * eight fails at first. Immutable.
 *
 * @param seed decides
 * @param fair false leaves out what gives a second effect or none by itself when something is wrong on purpose, so that
 *     only kills and freezes can: nothing is sent twice, nothing fails
 */
record TaskMix(long seed, boolean fair) {

  private static final List<Form> FORMS = List.of(Form.EARLY, Form.SPLIT, Form.LATE);

  /** The task with this number. */
  Task task(int number) {
    SplittableRandom random = random(number);
    Form form = FORMS.get(random.nextInt(FORMS.size()));
    int kind = random.nextInt(10);
    long millis =
        kind < 7 ? random.nextLong(20, 700) : kind < 9 ? random.nextLong(700, 4_000) : random.nextLong(5_000, 11_000);
    boolean failsFirst = random.nextInt(8) == 0 && fair;
    return new Task("task-" + number, form, millis, failsFirst);
  }

  /** How many tasks later the task is sent once more: 0 at once; negative never. */
  int repeatedAfter(int number) {
    if (!fair) {
      return -1;
    }
    return switch (number % 10) {
      case 3 -> 0;
      case 7 -> 10;
      default -> -1;
    };
  }

  private SplittableRandom random(int number) {
    return new SplittableRandom(seed * 1_000_003 + number);
  }
}
