package io.queueworker.observe;

import io.queueworker.timing.Timing;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.event.Level;

/**
 * The listeners of one worker: every event of it goes through here.
 *
 * <p>Inline listeners are called in place, on the thread to which the event happened. Each of the others has a thread of its
 * own, which calls it in order, and a backlog of {@value #BACKLOG} events; what comes beyond that is dropped and counted, so
 * that a listener that hangs costs neither memory nor a lease. What a listener throws is logged once per class.
 *
 * <p>For the worker's own use. Thread-safe; holds no lock while a listener runs.
 */
public final class Listeners {

  /** How many events may wait for one listener that is not inline. */
  static final int BACKLOG = 10_000;

  private final Timing timing;
  private final String queue;
  private final String worker;
  private final List<WorkerListener> inline;
  private final List<AsideListener> aside;
  private final LogLines log;
  private final Set<Class<?>> reported = ConcurrentHashMap.newKeySet();

  /**
   * The listeners of one worker.
   *
   * @param timing gives the time of each event, and threads to the listeners beside
   * @param queue the queue's name
   * @param worker the worker's id
   * @param inline called in place, in this order
   * @param aside called on threads of their own, which start with the first event
   * @param log where what a listener throws is told
   */
  public Listeners(
      Timing timing,
      String queue,
      String worker,
      List<WorkerListener> inline,
      List<WorkerListener> aside,
      LogLines log) {
    this.log = log;
    this.timing = timing;
    this.queue = queue;
    this.worker = worker;
    this.inline = new CopyOnWriteArrayList<>(inline);
    List<AsideListener> started = new ArrayList<>();
    for (WorkerListener listener : aside) {
      String thread = "worker-" + queue + "-listener-" + (started.size() + 1);
      started.add(new AsideListener(listener, timing.pool(thread, 1), this));
    }
    this.aside = List.copyOf(started);
  }

  /** Adds a listener that is called in place, after the others. */
  public void add(WorkerListener listener) {
    inline.add(listener);
  }

  /** Tells every listener. Never throws; never waits for a listener that is not inline. */
  public void emit(WorkerEvent event) {
    if (inline.isEmpty() && aside.isEmpty()) {
      return;
    }
    EventContext context = new EventContext(queue, worker, timing.now(), timing.nanoTime());
    for (WorkerListener listener : inline) {
      tell(listener, context, event);
    }
    for (AsideListener listener : aside) {
      listener.offer(context, event);
    }
  }

  /** The listeners that are too far behind now, so that events for them are dropped, by their class. */
  public List<String> behind() {
    return aside.stream().filter(AsideListener::isBehind).map(AsideListener::type).toList();
  }

  /** Events that were dropped because a listener was too far behind or came after {@link #close()}. */
  public long dropped() {
    long sum = 0;
    for (AsideListener listener : aside) {
      sum += listener.dropped();
    }
    return sum;
  }

  /**
   * Ends the threads of the listeners that are not inline once they have heard what waits for them. Does not wait for that.
   * Inline listeners go on hearing what is emitted. Calling it again does nothing.
   */
  public void close() {
    for (AsideListener listener : aside) {
      listener.close();
    }
  }

  /** Calls one listener, on this thread. */
  void tell(WorkerListener listener, EventContext context, WorkerEvent event) {
    try {
      listener.onEvent(context, event);
    } catch (Throwable e) {
      report(listener, e);
    }
  }

  /** Logs a warning of ours about a listener. Never throws. */
  void warn(String sentence) {
    log.write(Level.WARN, sentence, null);
  }

  private void report(WorkerListener listener, Throwable thrown) {
    Class<?> type = listener.getClass();
    if (reported.add(type)) {
      log.write(
          Level.WARN,
          "the listener " + type.getName()
              + " threw; the worker goes on, and what others of this class throw is not logged."
              + " Make it catch what it throws.",
          thrown);
    }
  }
}
