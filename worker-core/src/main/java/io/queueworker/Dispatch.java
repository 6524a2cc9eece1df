package io.queueworker;

import io.queueworker.handle.GroupPlaces;
import io.queueworker.handle.HandlerThreads;
import io.queueworker.handle.Place;
import io.queueworker.handle.RunParts;
import io.queueworker.handle.Work;
import io.queueworker.lease.Lease;
import io.queueworker.lease.LeaseClock;
import io.queueworker.lease.LeaseRegistry;
import io.queueworker.lease.LeaseTerms;
import io.queueworker.lease.Receive;
import io.queueworker.observe.WorkerEvent;
import io.queueworker.observe.WorkerEvent.InternalError;
import io.queueworker.observe.WorkerEvent.Received;
import io.queueworker.queue.ReceivedMessage;
import io.queueworker.receive.Intake;
import io.queueworker.receive.Permit;
import io.queueworker.receive.Permits;
import io.queueworker.settle.SettleWatch;
import io.queueworker.settle.Settler;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Puts each received message under lease and starts its run. Thread-safe; called on poll threads. */
record Dispatch<T, R>(
    LeaseClock clock,
    LeaseRegistry registry,
    Supplier<LeaseTerms> terms,
    Permits permits,
    GroupPlaces places,
    HandlerThreads threads,
    RunParts parts,
    Work<T, R> work,
    Settler settler,
    Consumer<WorkerEvent> events)
    implements Intake {

  /** Long enough for threads to end, and for the receive count not to run up meanwhile. */
  private static final Duration NO_THREAD_DELAY = Duration.ofSeconds(10);

  @Override
  public void accept(ReceivedMessage message, Receive from) {
    Permit permit = permits.permit();
    Lease lease;
    try {
      lease = lease(message, from);
    } catch (Throwable t) {
      // The rest of the batch must still get its chance; this message comes back by itself.
      events.accept(new InternalError("lease of message " + message.id(), t));
      threads.breakOff(from, message);
      permit.giveBack();
      return;
    }
    Place place = places.join(message.group(), permit);
    try {
      threads.start(parts, work, lease, from, place);
    } catch (Throwable t) {
      // Such as no memory for a thread: the rest of the batch must still get its chance.
      events.accept(new InternalError("start of the handler for message " + message.id(), t));
      threads.breakOff(from, message);
      settler.release(lease, NO_THREAD_DELAY, place::giveBack, SettleWatch.NONE);
    }
  }

  @Override
  public Runnable giveBack(ReceivedMessage message, Receive from) {
    Lease lease = lease(message, from);
    return () -> threads.giveBack(lease);
  }

  private Lease lease(ReceivedMessage message, Receive from) {
    long anchor = clock.anchor(from.sentAt(), from.hiddenAt());
    Lease lease = new Lease(message, terms, from.visibility().toNanos(), from.sentAt(), anchor);
    Duration left = Duration.ofNanos(lease.remaining(clock.now()));
    events.accept(new Received(message.id(), message.receiveCount(), left));
    registry.schedule(lease);
    return lease;
  }
}
