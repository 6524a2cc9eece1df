package io.queueworker.examples.chaos;

import java.util.Arrays;
import java.util.stream.Collectors;

/** What is wrong with the workers of a run, on purpose: a run that cannot fail shows nothing. Immutable. */
enum Control {

  /** Nothing is. */
  NONE("none"),

  /** There is no gate: the handler commits by itself, and a redelivery does it again. */
  GATE_OFF("gate-off"),

  /** The message is deleted when it comes, before its effect: with the worker dies the work. */
  DELETE_FIRST("delete-first");

  private final String word;

  Control(String word) {
    this.word = word;
  }

  /** The control with this word. */
  static Control of(String word) {
    return Arrays.stream(values())
        .filter(control -> control.word.equals(word))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException(
                "control is \"" + word + "\": give one of "
                    + Arrays.stream(values()).map(Control::word).collect(Collectors.joining(", "))));
  }

  /** Its word in options and in the result. */
  String word() {
    return word;
  }
}
