package io.queueworker.examples.chaos;

import io.queueworker.observe.EventContext;
import io.queueworker.observe.WorkerEvent;
import io.queueworker.observe.WorkerListener;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Writes a worker's steps to its parent, one line each and at once, so that the parent can kill it right there. Registered
 * inline. Thread-safe.
 */
final class StepReports implements WorkerListener {

  private final OutputStream parent;
  private final ReentrantLock lock = new ReentrantLock();

  /** Reports to an unbuffered stream. */
  StepReports(OutputStream parent) {
    this.parent = parent;
  }

  @Override
  public void onEvent(EventContext context, WorkerEvent event) {
    switch (event) {
      case WorkerEvent.Started e -> report(Step.READY, "-", 0);
      case WorkerEvent.ClockGap e -> report(Step.GAP, "-", e.length().toMillis());
      case WorkerEvent.Received e -> report(Step.RECEIVED, e.messageId(), e.receiveCount());
      case WorkerEvent.HandlerStarted e -> report(Step.STARTED, e.messageId(), 0);
      case WorkerEvent.HandlerReturned e -> report(Step.RETURNED, e.messageId(), 0);
      case WorkerEvent.Committed e -> report(Step.COMMITTED, e.messageId(), 0);
      case WorkerEvent.Suppressed e -> report(Step.SUPPRESSED, e.messageId(), 0);
      case WorkerEvent.HeldBack e -> report(Step.HELD_BACK, e.messageId(), 0);
      case WorkerEvent.ExtendSent e -> report(Step.EXTENDING, e.messageId(), 0);
      case WorkerEvent.Deleted e -> report(Step.DELETED, e.messageId(), 0);
      case WorkerEvent.Released e -> report(Step.RELEASED, e.messageId(), 0);
      case WorkerEvent.LeaseLost e -> report(Step.LOST, e.messageId(), 0);
      default -> {
        // The parent does not ask for the others.
      }
    }
  }

  /** Reports a step that no event tells. */
  void report(Step step, String messageId, long number) {
    byte[] line = (Report.line(step, messageId, number) + "\n").getBytes(StandardCharsets.US_ASCII);
    lock.lock();
    try {
      parent.write(line);
    } catch (IOException parentIsGone) {
      // This process ends by itself in a moment.
    } finally {
      lock.unlock();
    }
  }
}
