package io.queueworker.testkit.chaos;

import java.time.Duration;

/**
 * Something that a handler made durable. Immutable.
 *
 * @param queue the queue whose message it was for
 * @param name its name, a message's body unless the handler gave another
 * @param machine whose handler made it
 * @param at when it became durable
 */
record Effect(String queue, String name, String machine, Duration at) {

  @Override
  public String toString() {
    return "effect " + name + " of " + queue + " from " + machine + " at " + Text.of(at);
  }
}
