package io.queueworker.examples.chaos;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;

/**
 * Work of some length with an effect of two parts, as it travels in a message. Immutable.
 *
 * @param id names the effect
 * @param form when in the transaction the parts are written
 * @param millis how long the work takes
 * @param failsFirst whether the handler throws when the message comes for the first time, after its writes
 */
record Task(String id, Form form, long millis, boolean failsFirst) {

  /** When a handler writes. */
  enum Form {
    /** Both parts before the work: the transaction and the key's row are open for long. */
    EARLY,
    /** One part before the work and one after. */
    SPLIT,
    /** Both parts after the work: no connection is in use before. */
    LATE
  }

  /** How many parts an effect has. */
  static final int PARTS = 2;

  private static final ObjectMapper JSON = new ObjectMapper();

  /** Writes a part of an effect. */
  @FunctionalInterface
  interface Effect {
    void write(int part) throws Exception;
  }

  /** Does the work and makes the effect. Blocks as long as the work takes. */
  void perform(int receiveCount, Effect effect) throws Exception {
    int early =
        switch (form) {
          case EARLY -> PARTS;
          case SPLIT -> 1;
          case LATE -> 0;
        };
    for (int part = 1; part <= early; part++) {
      effect.write(part);
    }
    Thread.sleep(millis);
    for (int part = early + 1; part <= PARTS; part++) {
      effect.write(part);
    }
    if (failsFirst && receiveCount == 1) {
      throw new IOException("the first attempt at " + id + " fails");
    }
  }

  /** The body of the task's message. */
  String toJson() {
    try {
      return JSON.writeValueAsString(this);
    } catch (IOException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** The task in a message's body. */
  static Task fromJson(String body) throws IOException {
    return JSON.readValue(body, Task.class);
  }
}
