package io.queueworker.handle;

import io.queueworker.handle.Place.State;
import io.queueworker.timing.KeeperLock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How many messages of one group may be worked on at once, on a queue without order, so that one noisy group cannot take all
 * permits. What waits for a place gives its permit back, for messages of other groups, and gets that of the one whose place it
 * takes; so handlers never exceed the permits. Thread-safe; under its lock it calls permits only.
 */
public final class GroupPlaces {

  private final int perGroup;
  private final int mostWaiting;
  private final ReentrantLock lock = new KeeperLock();

  // Guarded by lock.
  private final Map<String, Integer> taken = new HashMap<>();
  private final Map<String, Deque<Place>> waiting = new HashMap<>();
  private int waits;

  /** {@code perGroup} places for each group, and room for {@code mostWaiting} messages of all groups that wait for one. */
  public GroupPlaces(int perGroup, int mostWaiting) {
    this.perGroup = perGroup;
    this.mostWaiting = mostWaiting;
  }

  /** Takes a place, or waits for one, or is refused one; with its permit parked meanwhile. */
  public Place join(Optional<String> group, RunPermit permit) {
    if (group.isEmpty() || perGroup == Integer.MAX_VALUE) {
      return new Place(this, "", permit, State.TAKEN);
    }
    Place place = new Place(this, group.get(), permit, State.REFUSED);
    lock.lock();
    try {
      if (taken.getOrDefault(place.group, 0) < perGroup) {
        taken.merge(place.group, 1, Integer::sum);
        place.state = State.TAKEN;
      } else if (waits < mostWaiting) {
        waits++;
        waiting.computeIfAbsent(place.group, any -> new ArrayDeque<>()).addLast(place);
        place.state = State.WAITING;
        // Under the lock: parked after the place had come, its permit would count twice.
        permit.park();
      }
      return place;
    } finally {
      lock.unlock();
    }
  }

  boolean is(Place place, State state) {
    lock.lock();
    try {
      return place.state == state;
    } finally {
      lock.unlock();
    }
  }

  void giveBack(Place place) {
    Optional<Place> next = Optional.empty();
    lock.lock();
    try {
      State before = place.state;
      place.state = State.LEFT;
      if (before == State.WAITING) {
        stopWaiting(place);
      } else if (before == State.TAKEN && !place.group.isEmpty()) {
        next = passOn(place.group);
      }
    } finally {
      lock.unlock();
    }
    // The next one takes its permit first: a receive must not get it in between.
    next.ifPresent(Place::granted);
    place.permit().giveBack();
  }

  private Optional<Place> passOn(String group) {
    Deque<Place> line = waiting.get(group);
    Place next = line == null ? null : line.peekFirst();
    if (next == null) {
      taken.merge(group, -1, (count, less) -> count + less == 0 ? null : count + less);
      return Optional.empty();
    }
    stopWaiting(next);
    next.state = State.TAKEN;
    return Optional.of(next);
  }

  private void stopWaiting(Place place) {
    Deque<Place> line = waiting.get(place.group);
    if (line != null && line.remove(place)) {
      waits--;
      if (line.isEmpty()) {
        waiting.remove(place.group);
      }
    }
  }
}
