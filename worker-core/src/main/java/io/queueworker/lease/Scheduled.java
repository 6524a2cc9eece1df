package io.queueworker.lease;

/**
 * Something with a place in a {@link LeaseRegistry}, kept in the object itself: a hundred thousand leases need no entry each.
 *
 * <p>Not thread-safe: the fields are guarded by the registry's lock, and an object is in one registry at most.
 */
abstract class Scheduled implements Comparable<Scheduled> {

  /** What {@link #place} is of an object that is in no registry. */
  static final int NOWHERE = -1;

  /** Its index in the registry's heap, or {@link #NOWHERE}. */
  int place = NOWHERE;

  /** When the heartbeat has to look at it, in {@link LeaseClock} nanoseconds. */
  long at;

  /** Which of two of the same time was put there first. */
  long sequence;

  @Override
  public final int compareTo(Scheduled other) {
    int byTime = Long.signum(at - other.at); // The clock may wrap around.
    return byTime != 0 ? byTime : Long.compare(sequence, other.sequence);
  }
}
