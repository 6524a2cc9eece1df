package io.queueworker.handle;

import io.queueworker.handle.Breaker.Ticket;
import io.queueworker.timing.KeeperLock;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/**
 * The messages that wait for a breaker to let them try, in the order in which they came or failed last.
 *
 * <p>A message that has failed in several rounds may itself be what fails: while the breaker is half open, a new message
 * comes before it for a second. Thread-safe; calls nobody while it holds its lock.
 */
final class Probes {

  /** Failing in fewer rounds says nothing about a message. */
  private static final int SUSPECT_AFTER = 2;

  private static final long NEW_ONES_FIRST = Duration.ofSeconds(1).toNanos();

  private final ReentrantLock lock = new KeeperLock();

  // Both guarded by lock.
  private final Set<StartPermission> waiting = new LinkedHashSet<>();
  private long openUntil;

  /** The breaker is not half open at {@code now}. */
  void openSince(long now) {
    lock.lock();
    try {
      openUntil = now;
    } finally {
      lock.unlock();
    }
  }

  void add(StartPermission start) {
    lock.lock();
    try {
      waiting.add(start);
    } finally {
      lock.unlock();
    }
  }

  void remove(StartPermission start) {
    lock.lock();
    try {
      waiting.remove(start);
    } finally {
      lock.unlock();
    }
  }

  /** Whether one may try at {@code now}. */
  boolean hasNext(long now) {
    lock.lock();
    try {
      return next(now).isPresent();
    } finally {
      lock.unlock();
    }
  }

  /** Gives the permission to the next one and wakes it; false when none is there any more. */
  boolean give(Ticket ticket, long now) {
    Optional<StartPermission> next;
    lock.lock();
    try {
      next = next(now);
      // Under the lock: one that leaves must either not get it or find it.
      next.ifPresent(start -> {
        waiting.remove(start);
        start.granted(ticket);
      });
    } finally {
      lock.unlock();
    }
    next.ifPresent(StartPermission::wake);
    return next.isPresent();
  }

  private Optional<StartPermission> next(long now) {
    Predicate<StartPermission> rested = start -> now - start.notBefore() >= 0;
    Optional<StartPermission> promising = waiting.stream().filter(rested.and(Probes::isPromising)).findFirst();
    return promising.isPresent() || now - openUntil < NEW_ONES_FIRST
        ? promising
        : waiting.stream().filter(rested).findFirst();
  }

  private static boolean isPromising(StartPermission start) {
    return start.failedRounds() < SUSPECT_AFTER;
  }

  /** How many wait that no new message comes before. */
  int promising() {
    lock.lock();
    try {
      return (int) waiting.stream().filter(Probes::isPromising).count();
    } finally {
      lock.unlock();
    }
  }

  /** Has all look again whether they may go on. */
  void wakeAll() {
    List<StartPermission> all;
    lock.lock();
    try {
      all = List.copyOf(waiting);
    } finally {
      lock.unlock();
    }
    all.forEach(StartPermission::wake);
  }
}
