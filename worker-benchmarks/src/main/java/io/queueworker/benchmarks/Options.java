package io.queueworker.benchmarks;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;

/**
 * What the user of {@link BenchMain} can choose, by system properties; an empty one is as good as none. Immutable.
 *
 * @param scenario which to run
 * @param part which of its tables, from one on; empty for all
 * @param contenders who takes part; empty for the scenario's own list
 * @param rounds how often each runs, 1 to 100
 * @param messages how many are measured in scenarios with a full queue
 * @param warmup how many come before them there
 * @param seconds how long an idle contender is looked at
 * @param json the file to which the results go
 */
record Options(
    Scenario scenario,
    OptionalInt part,
    List<String> contenders,
    int rounds,
    OptionalInt messages,
    OptionalInt warmup,
    OptionalInt seconds,
    Path json) {

  /** Reads them. */
  static Options read() {
    Scenario scenario = Scenario.named(property("scenario", ""));
    return new Options(
        scenario,
        number("part", 1, scenario.parts().size()),
        Arrays.stream(property("contenders", "").split(",")).map(String::strip).filter(name -> !name.isEmpty())
            .toList(),
        number("rounds", 1, 100).orElse(5),
        number("messages", 10, 2_000_000),
        number("warmup", 0, 2_000_000),
        number("seconds", 1, 3_600),
        Path.of(property("json", "target/bench/" + scenario.name() + ".json")));
  }

  /** The tables to make. */
  List<Part> parts() {
    List<Part> all = scenario.parts();
    return part.isEmpty() ? all : List.of(all.get(part.getAsInt() - 1));
  }

  private static OptionalInt number(String name, int least, int most) {
    String text = property(name, "");
    if (text.isEmpty()) {
      return OptionalInt.empty();
    }
    if (!text.matches("\\d{1,9}") || Integer.parseInt(text) < least || Integer.parseInt(text) > most) {
      throw new IllegalArgumentException(
          name + " is \"" + text + "\": give -D" + name + "=" + least + " up to -D" + name + "=" + most);
    }
    return OptionalInt.of(Integer.parseInt(text));
  }

  private static String property(String name, String otherwise) {
    String value = System.getProperty(name, "");
    return value.isBlank() ? otherwise : value.strip();
  }
}
