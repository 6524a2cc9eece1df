package io.queueworker.observe;

import io.queueworker.observe.WorkerEvent.PermissionDenied;
import io.queueworker.observe.WorkerEvent.PermissionRestored;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Which permissions the service denies this worker, as its latest answers say. An event tells each change once.
 * Thread-safe.
 */
public final class Permissions {

  /** A kind of call that needs a permission of its own. */
  public enum Call {
    ATTRIBUTES,
    RECEIVE,
    EXTEND,
    DELETE,
    SEND,
    /** Reads how many messages the dead-letter queue has. Nothing else depends on it. */
    SAMPLE
  }

  /** Follows an action that is denied on the dead-letter queue although the worker's own queue allows it. */
  public static final String ON_DEAD_LETTERS = " on the dead-letter queue";

  private final Map<Call, String> denied = new ConcurrentHashMap<>();
  private final AtomicLong denials = new AtomicLong();
  private final Consumer<WorkerEvent> events;

  /** Nothing is denied at first. */
  public Permissions(Consumer<WorkerEvent> events) {
    this.events = events;
  }

  /** Notes that a call was denied for want of {@code action}, by its name in a policy. */
  public void denied(Call call, String action) {
    if (call == Call.EXTEND || call == Call.DELETE) {
      denials.incrementAndGet();
    }
    if (!action.equals(denied.put(call, action))) {
      events.accept(new PermissionDenied(action));
    }
  }

  /** Notes that a call of this kind was allowed. */
  public void allowed(Call call) {
    if (denied.isEmpty()) {
      return;
    }
    String action = denied.remove(call);
    if (action != null) {
      events.accept(new PermissionRestored(action));
    }
  }

  /** Whether the latest call of this kind was denied. */
  public boolean isDenied(Call call) {
    return denied.containsKey(call);
  }

  /** Extensions, releases and deletes denied so far: tells whether one was denied since. */
  public long denials() {
    return denials.get();
  }

  /** The missing permissions without which a part of the worker does not work, by their names in a policy. */
  public Set<String> needed() {
    Set<String> needed = new TreeSet<>();
    denied.forEach((call, action) -> {
      if (call != Call.SAMPLE) {
        needed.add(action);
      }
    });
    return needed;
  }

  /** The missing permissions by their names in a policy. */
  public Set<String> denied() {
    return new TreeSet<>(denied.values());
  }
}
