package io.queueworker.observe;

/** Hears what happens in a worker. */
@FunctionalInterface
public interface WorkerListener {

  /**
   * Called once per event. Registered as inline, it runs where the event happens, and many calls may run at once. Otherwise
   * it runs on a thread of its own, in order; 10,000 events may wait for it, and what comes beyond that is dropped and
   * counted in the log. What it throws is logged once per class and does no harm.
   */
  void onEvent(EventContext context, WorkerEvent event);
}
