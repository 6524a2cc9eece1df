package io.queueworker.testkit.simulation;

/**
 * Something that happens at a point of virtual time. Immutable.
 *
 * @param at virtual nanoseconds since the start of the simulation
 * @param number order among timers of the same point
 * @param action what happens; it runs between two steps and must not wait
 */
record Timer(long at, long number, Runnable action) implements Comparable<Timer> {

  @Override
  public int compareTo(Timer other) {
    int byTime = Long.compare(at, other.at);
    return byTime != 0 ? byTime : Long.compare(number, other.number);
  }
}
