package io.queueworker.observe;

/** Hears what happens in a worker. */
@FunctionalInterface
public interface WorkerListener {

  /**
   * Called once per event; many calls may run at once. Unless registered as inline, it runs on the pool for callbacks, in
   * order, and falls behind rather than delaying the worker. What it throws is logged once and does no harm.
   */
  void onEvent(EventContext context, WorkerEvent event);
}
