package io.queueworker.examples.chaos;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The producer of a run: it keeps a number of messages on the queue until it is told to end and has sent enough. {@link
 * #topUp} is called by one thread; the rest is thread-safe.
 */
final class Load {

  private final RemoteQueue queue;
  private final TaskMix mix;
  private final int least;
  private final int level;
  private final Map<Integer, List<String>> repeats = new HashMap<>();
  private final ReentrantLock lock = new ReentrantLock();

  // All guarded by lock.
  private final List<String> tasks = new ArrayList<>();
  private int messages;
  private boolean sending;
  private boolean ending;

  /**
   * A load that has sent nothing yet.
   *
   * @param least how many tasks it sends at least
   * @param level how many messages it keeps on the queue, in flight or not
   */
  Load(RemoteQueue queue, TaskMix mix, int least, int level) {
    this.queue = queue;
    this.mix = mix;
    this.least = least;
    this.level = level;
  }

  /** Sends what is missing. */
  void topUp() {
    for (int total = queue.counts().total(); total < level && !isOver(); total++) {
      sendNext();
    }
  }

  private void sendNext() {
    int number = size() + 1;
    Task task = mix.task(number);
    // Noted before it is sent: a task of which nobody knows whether it was sent counts as lost, not as never there.
    note(task.id());
    send(task.toJson());
    int after = mix.repeatedAfter(number);
    if (after >= 0) {
      repeats.computeIfAbsent(number + after, later -> new ArrayList<>()).add(task.toJson());
    }
    List<String> due = repeats.remove(number);
    if (due != null) {
      due.forEach(this::send);
    }
    sent();
  }

  private void note(String task) {
    lock.lock();
    try {
      tasks.add(task);
      sending = true;
    } finally {
      lock.unlock();
    }
  }

  private void sent() {
    lock.lock();
    try {
      sending = false;
    } finally {
      lock.unlock();
    }
  }

  private void send(String body) {
    queue.send(body);
    lock.lock();
    try {
      messages++;
    } finally {
      lock.unlock();
    }
  }

  private int size() {
    lock.lock();
    try {
      return tasks.size();
    } finally {
      lock.unlock();
    }
  }

  /** Has it end as soon as it has sent enough. */
  void end() {
    lock.lock();
    try {
      ending = true;
    } finally {
      lock.unlock();
    }
  }

  /** Whether it sends no more, and all that it noted is on the queue. */
  boolean isOver() {
    lock.lock();
    try {
      return ending && !sending && tasks.size() >= least;
    } finally {
      lock.unlock();
    }
  }

  /** The ids of the tasks sent so far. */
  List<String> tasks() {
    lock.lock();
    try {
      return List.copyOf(tasks);
    } finally {
      lock.unlock();
    }
  }

  /** How many messages it sent so far; more than tasks, since some are sent twice. */
  int messages() {
    lock.lock();
    try {
      return messages;
    } finally {
      lock.unlock();
    }
  }
}
