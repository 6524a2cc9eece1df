package io.queueworker.lease;

import io.queueworker.timing.KeeperLock;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The leases that the heartbeat looks after, ordered by when it has to look at each again.
 *
 * <p>A lease is known by itself, that is by the one receive it stands for: a second receive of the same message is another
 * lease. Thread-safe.
 */
public final class LeaseRegistry {

  private final ReentrantLock lock = new KeeperLock();

  /** A binary heap: none is later than the two at twice its index plus one and plus two. Each knows its own index. */
  private final List<Lease> heap = new ArrayList<>();

  private long sequence;

  /** Adds a lease, or moves it to its present {@link Lease#nextCheck()}. */
  public void schedule(Lease lease) {
    long at = lease.nextCheck();
    lock.lock();
    try {
      if (lease.place == Scheduled.NOWHERE) {
        lease.place = heap.size();
        lease.at = at;
        lease.sequence = sequence++;
        heap.add(lease);
        rise(lease);
      } else {
        moveTo(lease, at);
      }
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
      boolean known = lease.place != Scheduled.NOWHERE;
      if (known) {
        moveTo(lease, at);
      }
      return known;
    } finally {
      lock.unlock();
    }
  }

  private void moveTo(Lease lease, long at) {
    if (lease.at != at) { // Mostly it is when a handler starts: the beat is due before its time is up.
      lease.at = at;
      lease.sequence = sequence++;
      rise(lease);
      sink(lease);
    }
  }

  /** Forgets a lease; doing so twice is no error. */
  public void remove(Lease lease) {
    lock.lock();
    try {
      int place = lease.place;
      if (place == Scheduled.NOWHERE) {
        return;
      }
      lease.place = Scheduled.NOWHERE;
      Lease last = heap.remove(heap.size() - 1);
      if (last != lease) {
        put(last, place);
        rise(last);
        sink(last);
      }
    } finally {
      lock.unlock();
    }
  }

  private void put(Lease lease, int place) {
    heap.set(place, lease);
    lease.place = place;
  }

  /** Changes places with those before it that are later. */
  private void rise(Lease lease) {
    while (lease.place > 0) {
      Lease before = heap.get((lease.place - 1) / 2);
      if (before.compareTo(lease) <= 0) {
        return;
      }
      swap(lease, before);
    }
  }

  /** Changes places with the sooner of those after it while that is sooner than itself. */
  private void sink(Lease lease) {
    while (true) {
      int left = 2 * lease.place + 1;
      if (left >= heap.size()) {
        return;
      }
      Lease after = heap.get(left);
      if (left + 1 < heap.size() && heap.get(left + 1).compareTo(after) < 0) {
        after = heap.get(left + 1);
      }
      if (lease.compareTo(after) <= 0) {
        return;
      }
      swap(lease, after);
    }
  }

  private void swap(Lease one, Lease other) {
    int place = one.place;
    put(one, other.place);
    put(other, place);
  }

  /** The leases to look at by {@code until}, soonest first, {@code most} at most. They stay. */
  List<Lease> due(long until, int most) {
    List<Lease> due = new ArrayList<>();
    lock.lock();
    try {
      if (!isDue(0, until)) {
        return due;
      }
      PriorityQueue<Lease> next = new PriorityQueue<>();
      next.add(heap.get(0));
      while (!next.isEmpty() && due.size() < most) {
        Lease soonest = next.remove();
        due.add(soonest);
        for (int after = 2 * soonest.place + 1; after <= 2 * soonest.place + 2; after++) {
          if (isDue(after, until)) {
            next.add(heap.get(after));
          }
        }
      }
      return due;
    } finally {
      lock.unlock();
    }
  }

  private boolean isDue(int place, long until) {
    return place < heap.size() && heap.get(place).at - until <= 0;
  }

  /** All leases, in no order. */
  public List<Lease> all() {
    lock.lock();
    try {
      return List.copyOf(heap);
    } finally {
      lock.unlock();
    }
  }

  /** How many leases there are. */
  public int size() {
    lock.lock();
    try {
      return heap.size();
    } finally {
      lock.unlock();
    }
  }
}
