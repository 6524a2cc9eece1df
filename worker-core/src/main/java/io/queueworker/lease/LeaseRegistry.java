package io.queueworker.lease;

import io.queueworker.timing.KeeperLock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The leases that the heartbeat looks after, ordered by when it has to look at each again.
 *
 * <p>A lease is known by itself, that is by the one receive it stands for: a second receive of the same message is another
 * lease. Thread-safe.
 */
public final class LeaseRegistry {

  private final ReentrantLock lock = new KeeperLock();
  private final TreeSet<Entry> byTime = new TreeSet<>();
  private final Map<Lease, Entry> byLease = new HashMap<>();
  private long sequence;

  /** Adds a lease, or moves it to its present {@link Lease#nextCheck()}. */
  public void schedule(Lease lease) {
    long at = lease.nextCheck();
    lock.lock();
    try {
      place(lease, at);
    } finally {
      lock.unlock();
    }
    reschedule(lease);
  }

  /** Moves a lease to its present {@link Lease#nextCheck()} unless it was removed meanwhile. */
  public void reschedule(Lease lease) {
    long at;
    do {
      at = lease.nextCheck();
      // Here another thread may change the lease and move it. This one then moves it back to a time that is not right any
      // more, such as the deadline, for which a lease with a call in flight waits: the call has failed by now, and its retry
      // would never come. So it looks again. It does not ask under the lock: a handler's thread would hold that one while it
      // waits for the lease's.
    } while (move(lease, at) && lease.nextCheck() != at);
  }

  private boolean move(Lease lease, long at) {
    lock.lock();
    try {
      boolean known = byLease.containsKey(lease);
      if (known) {
        place(lease, at);
      }
      return known;
    } finally {
      lock.unlock();
    }
  }

  private void place(Lease lease, long at) {
    Entry before = byLease.get(lease);
    if (before != null && before.at == at) {
      return; // As mostly when a handler starts: the beat is due before its time is up.
    }
    if (before != null) {
      byTime.remove(before);
    }
    Entry placed = new Entry(at, sequence++, lease);
    byLease.put(lease, placed);
    byTime.add(placed);
  }

  /** Forgets a lease; doing so twice is no error. */
  public void remove(Lease lease) {
    lock.lock();
    try {
      Entry entry = byLease.remove(lease);
      if (entry != null) {
        byTime.remove(entry);
      }
    } finally {
      lock.unlock();
    }
  }

  /** The leases to look at by {@code until}, soonest first, {@code most} at most. They stay. */
  List<Lease> due(long until, int most) {
    lock.lock();
    try {
      List<Lease> due = new ArrayList<>();
      for (Entry entry : byTime) {
        if (entry.at - until > 0 || due.size() == most) {
          break;
        }
        due.add(entry.lease);
      }
      return due;
    } finally {
      lock.unlock();
    }
  }

  /** All leases, in no order. */
  public List<Lease> all() {
    lock.lock();
    try {
      return List.copyOf(byLease.keySet());
    } finally {
      lock.unlock();
    }
  }

  /** How many leases there are. */
  public int size() {
    lock.lock();
    try {
      return byLease.size();
    } finally {
      lock.unlock();
    }
  }

  private record Entry(long at, long sequence, Lease lease) implements Comparable<Entry> {
    @Override
    public int compareTo(Entry other) {
      int byTime = Long.signum(at - other.at);
      return byTime != 0 ? byTime : Long.compare(sequence, other.sequence);
    }
  }
}
