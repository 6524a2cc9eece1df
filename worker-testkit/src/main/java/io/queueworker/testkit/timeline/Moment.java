package io.queueworker.testkit.timeline;

import io.queueworker.observe.WorkerEvent.MessageEvent;

/**
 * One event of a message. Immutable.
 *
 * @param worker whose it is
 * @param nanos when it happened, since the time line's first event
 * @param event what happened
 */
record Moment(String worker, long nanos, MessageEvent event) {

  /** Whether it is of this kind. */
  boolean is(Class<? extends MessageEvent> kind) {
    return kind.isInstance(event);
  }
}
