package io.queueworker.observe;

import io.queueworker.observe.WorkerEvent.UserCodeFailed;
import io.queueworker.queue.ReceivedMessage;
import java.util.function.Consumer;

/**
 * What is set up around user code on a run's thread: the log's context, and an observation where there is a registry.
 * Thread-safe; acts on the thread that calls, and never throws.
 */
public final class Surroundings {

  private final String queue;
  private final String worker;
  private final Observations observations;
  private final Consumer<WorkerEvent> events;

  /** For attempts of this worker on this queue; {@code events} is told what throws. */
  public Surroundings(String queue, String worker, Observations observations, Consumer<WorkerEvent> events) {
    this.queue = queue;
    this.worker = worker;
    this.observations = observations;
    this.events = events;
  }

  /** An attempt begins: sets the log's context, again where user code of an earlier attempt changed it. */
  public Observed enter(ReceivedMessage message) {
    guarded(() -> LogContext.put(queue, message));
    return observations.begin(queue, worker, message, events);
  }

  /** The run is over. */
  public void leave() {
    guarded(LogContext::remove);
  }

  private void guarded(Runnable step) {
    try {
      step.run();
    } catch (Throwable t) {
      events.accept(new UserCodeFailed("the log's context (MDC)", t));
    }
  }
}
