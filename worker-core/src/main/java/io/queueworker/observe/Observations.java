package io.queueworker.observe;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.queueworker.observe.WorkerEvent.UserCodeFailed;
import io.queueworker.queue.ReceivedMessage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Where a worker's attempts are observed with Micrometer, if anywhere. What a handler of the registry throws is told of and
 * costs the attempt nothing but its observation. Thread-safe.
 */
public final class Observations {

  private static final Observations NONE = new Observations(null);
  private static final DeliveryConvention CONVENTION = new DeliveryConvention();

  private final @Nullable ObservationRegistry registry;

  private Observations(@Nullable ObservationRegistry registry) {
    this.registry = registry;
  }

  /** Observes nothing. */
  public static Observations none() {
    return NONE;
  }

  /** Observes in this registry; while it has no handlers nothing is made for it. */
  public static Observations in(ObservationRegistry registry) {
    return new Observations(registry);
  }

  /** Begins to observe an attempt on this thread, with what the tracer knows of the sender as its parent. */
  Observed begin(String queue, String worker, ReceivedMessage message, Consumer<WorkerEvent> events) {
    if (registry == null || registry.isNoop()) {
      return Observed.NONE;
    }
    DeliveryContext context = new DeliveryContext(queue, worker, message);
    Observation observation;
    try {
      observation = Observation.start(null, CONVENTION, () -> context, registry);
    } catch (Throwable t) {
      events.accept(new UserCodeFailed("start of an observation", t));
      return Observed.NONE;
    }
    Opened opened = new Opened(context, observation, events);
    opened.guarded("scope of an observation", opened::open);
    return opened;
  }

  /** An observation that has started. For the thread of its attempt. */
  private static final class Opened implements Observed {
    private final DeliveryContext context;
    private final Observation observation;
    private final Consumer<WorkerEvent> events;
    private Observation.@Nullable Scope scope;

    Opened(DeliveryContext context, Observation observation, Consumer<WorkerEvent> events) {
      this.context = context;
      this.observation = observation;
      this.events = events;
    }

    void open() {
      scope = observation.openScope();
    }

    @Override
    public void cameTo(DeliveryOutcome outcome, @Nullable Throwable thrown, boolean mayQuoteBody) {
      context.cameTo(outcome, thrown);
      if (thrown != null) {
        guarded("error of an observation",
            () -> observation.error(mayQuoteBody ? new WithheldException(thrown) : thrown));
      }
    }

    @Override
    public void end() {
      if (scope != null) {
        guarded("scope of an observation", scope::close);
      }
      guarded("stop of an observation", observation::stop);
    }

    /** The registry's handlers are user code: each step comes to its turn whatever the one before it threw. */
    void guarded(String what, Runnable step) {
      try {
        step.run();
      } catch (Throwable t) {
        events.accept(new UserCodeFailed(what, t));
      }
    }
  }
}
