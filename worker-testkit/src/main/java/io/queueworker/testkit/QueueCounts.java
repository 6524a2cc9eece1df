package io.queueworker.testkit;

/**
 * How many messages a queue has, by the service's own count.
 *
 * @param visible those that a receive could bring
 * @param inFlight those that were received and are hidden
 * @param delayed those that were sent with a delay which has not passed
 */
public record QueueCounts(int visible, int inFlight, int delayed) {

  /** All of them. */
  public int total() {
    return visible + inFlight + delayed;
  }

  @Override
  public String toString() {
    return visible + " visible, " + inFlight + " in flight, " + delayed + " delayed";
  }
}
