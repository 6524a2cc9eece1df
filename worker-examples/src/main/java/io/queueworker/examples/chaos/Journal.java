package io.queueworker.examples.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/** Everything that workers reported and that was done to them. Thread-safe. */
final class Journal {

  private final ReentrantLock lock = new ReentrantLock();

  // All guarded by lock.
  private final List<Report> reports = new ArrayList<>();
  private final List<Kill> kills = new ArrayList<>();
  private final List<Freeze> freezes = new ArrayList<>();

  void add(Report report) {
    add(reports, report);
  }

  void add(Kill kill) {
    add(kills, kill);
  }

  void add(Freeze freeze) {
    add(freezes, freeze);
  }

  /** The reports so far, in the order in which they were read. */
  List<Report> reports() {
    return copy(reports);
  }

  /** The kills so far. */
  List<Kill> kills() {
    return copy(kills);
  }

  /** The freezes that are over. */
  List<Freeze> freezes() {
    return copy(freezes);
  }

  private <T> void add(List<T> list, T entry) {
    lock.lock();
    try {
      list.add(entry);
    } finally {
      lock.unlock();
    }
  }

  private <T> List<T> copy(List<T> list) {
    lock.lock();
    try {
      return List.copyOf(list);
    } finally {
      lock.unlock();
    }
  }
}
