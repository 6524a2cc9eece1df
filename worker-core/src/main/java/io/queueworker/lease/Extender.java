package io.queueworker.lease;

import io.queueworker.observe.Permissions;
import io.queueworker.observe.Permissions.Call;
import io.queueworker.observe.WorkerEvent;
import io.queueworker.observe.WorkerEvent.ExtendFailed;
import io.queueworker.observe.WorkerEvent.ExtendSent;
import io.queueworker.observe.WorkerEvent.Extended;
import io.queueworker.observe.WorkerEvent.InternalError;
import io.queueworker.queue.EntryResult;
import io.queueworker.queue.MessageQueue;
import io.queueworker.queue.VisibilityChange;
import io.queueworker.timing.Timing.ThreadPool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;

/**
 * Carries extensions to the service and their answers to the leases, on the pool that is kept for beats.
 *
 * <p>Retries nothing: a lease whose extension failed is due again soon, and the next tick builds a new batch. Thread-safe.
 */
public final class Extender {

  private static final long SHORTEST_TIMEOUT = Duration.ofMillis(100).toNanos();

  private final MessageQueue queue;
  private final LeaseClock clock;
  private final LeaseRegistry registry;
  private final ThreadPool pool;
  private final ThreadPool urgentPool;
  private final Renewals renewals;
  private final long timeout;
  private final Permissions permissions;
  private final Consumer<WorkerEvent> events;
  private final Losses losses;
  private volatile boolean stopped;

  /** Extends through {@code queue} within {@code timeout} per call. */
  public Extender(
      MessageQueue queue,
      LeaseClock clock,
      LeaseRegistry registry,
      ThreadPool pool,
      ThreadPool urgentPool,
      ThreadPool renewPool,
      Duration timeout,
      Permissions permissions,
      Losses losses,
      Consumer<WorkerEvent> events) {
    this.queue = queue;
    this.clock = clock;
    this.registry = registry;
    this.pool = pool;
    this.urgentPool = urgentPool;
    this.timeout = timeout.toNanos();
    this.permissions = permissions;
    this.losses = losses;
    this.events = events;
    this.renewals = new Renewals(clock, renewPool, timeout.toNanos(), losses);
  }

  /** Sends nothing more: the worker is about to close its queue. */
  void stop() {
    stopped = true;
  }

  /** Leases that one call can extend. */
  int maxBatch() {
    return queue.traits().maxVisibilityBatch();
  }

  /**
   * Sends the beats in one call, as soon as a thread is free; those whose gate keeps a record, after that was renewed. Each
   * holds its lease's call slot until answered.
   */
  void extend(List<Beat> batch, boolean urgent) {
    List<Beat> ready = new ArrayList<>(batch.size());
    List<Beat> toRenew = new ArrayList<>();
    for (Beat beat : batch) {
      (beat.lease().watch().renewal() == null ? ready : toRenew).add(beat);
    }
    ThreadPool sender = urgent ? urgentPool : pool;
    hand(ready, sender, this::send);
    hand(
        toRenew,
        renewals.pool(),
        beats -> renewals.renew(beats, renewed -> hand(renewed, sender, this::send), this::answerSafely));
  }

  private void hand(List<Beat> batch, ThreadPool to, Consumer<List<Beat>> step) {
    if (batch.isEmpty()) {
      return;
    }
    boolean handed = false;
    try {
      handed = to.execute(() -> step.accept(batch));
    } catch (Throwable t) {
      // Such as no memory for a thread. The slots must not stay taken: the next tick tries again.
      events.accept(new InternalError("hand-over of extensions", t));
    } finally {
      if (!handed) {
        EntryResult notSent = new EntryResult.Retryable("not sent: no thread was free for it");
        batch.forEach(beat -> answerSafely(beat, notSent, clock.now()));
      }
    }
  }

  private void send(List<Beat> batch) {
    if (stopped) {
      // It waited for a thread, or stood still, until the queue was closed: nobody asks for the answer any more.
      return;
    }
    long sentAt = clock.now();
    List<Beat> inTime = new ArrayList<>(batch.size());
    long shortest = timeout;
    for (Beat made : batch) {
      Beat beat = made.sentAt(sentAt);
      long left = beat.lease().remaining(sentAt);
      if (left <= 0) {
        // It ended while the batch waited for a thread: extending it now would touch the next holder's message.
        answerSafely(beat, new EntryResult.Retryable("not sent: the lease had ended"), sentAt);
      } else if (beat.visibility() - LeaseTerms.margin(beat.visibility()) <= left) {
        answerSafely(beat, new EntryResult.Retryable("not sent: maxHold or the service's cap leaves no more"), sentAt);
      } else {
        inTime.add(beat);
        // Half, so that a second try fits into the lease when this one is not answered.
        shortest = Math.min(shortest, left / 2);
      }
    }
    if (inTime.isEmpty()) {
      return;
    }
    List<VisibilityChange> changes = new ArrayList<>(inTime.size());
    for (Beat beat : inTime) {
      Duration visibility = Duration.ofNanos(beat.visibility());
      changes.add(new VisibilityChange(beat.lease().receipt(), visibility));
      events.accept(new ExtendSent(beat.lease().message().id(), beat.lease().message().receiveCount(), visibility,
          beat.urgent()));
    }
    List<EntryResult> results = call(changes, Duration.ofNanos(Math.max(SHORTEST_TIMEOUT, shortest)));
    for (int i = 0; i < inTime.size(); i++) {
      answerSafely(inTime.get(i), results.get(i), inTime.get(i).countsFrom(sentAt));
    }
  }

  private List<EntryResult> call(List<VisibilityChange> changes, Duration within) {
    try {
      List<EntryResult> answers = queue.extend(changes, within);
      if (answers.size() == changes.size() && !answers.contains(null)) {
        return answers;
      }
      throw new IllegalStateException(
          "the queue answered " + answers.size() + " of " + changes.size()
              + " entries; a MessageQueue must answer each");
    } catch (Throwable t) {
      events.accept(new InternalError("extend", t));
      return Collections.nCopies(changes.size(), new EntryResult.Retryable(t.toString()));
    }
  }

  /** Answers one beat; what goes wrong with it must not keep the others of its batch from their answers. */
  private void answerSafely(Beat beat, EntryResult result, long sentAt) {
    try {
      answer(beat, result, sentAt);
    } catch (Throwable t) {
      events.accept(new InternalError("answer to an extension", t));
    }
  }

  private void answer(Beat beat, EntryResult result, long sentAt) {
    Lease lease = beat.lease();
    long now = clock.now();
    losses.announce(lease, lease.answered(result, beat.visibility(), sentAt, now), detail(result));
    String id = lease.message().id();
    switch (result) {
      case EntryResult.Done done -> {
        permissions.allowed(Call.EXTEND);
        if (lease.isHeld(now)) {
          events.accept(new Extended(id, lease.message().receiveCount(), Duration.ofNanos(lease.remaining(now))));
        }
      }
      case EntryResult.Denied denied -> {
        permissions.denied(Call.EXTEND, denied.action());
        failed(lease, "denied: " + denied.action(), now);
      }
      case EntryResult.Retryable retryable -> failed(lease, retryable.reason(), now);
      case EntryResult.Lost lost -> {}
      case EntryResult.Gone gone -> {}
    }
    if (lease.isIdle()) {
      registry.remove(lease);
    } else {
      registry.reschedule(lease);
    }
  }

  private void failed(Lease lease, String why, long now) {
    if (lease.isHeld(now)) {
      events.accept(new ExtendFailed(lease.message().id(), lease.message().receiveCount(), why,
          Duration.ofNanos(lease.remaining(now))));
    }
  }

  private static String detail(EntryResult result) {
    return switch (result) {
      case EntryResult.Lost lost -> lost.reason();
      case EntryResult.Gone gone -> "the message no longer exists";
      case EntryResult.Retryable retryable -> retryable.reason();
      case EntryResult.Denied denied -> "denied: " + denied.action();
      case EntryResult.Done done -> "";
    };
  }
}
