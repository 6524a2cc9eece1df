package io.queueworker.testkit.timeline;

import io.queueworker.observe.WorkerEvent;
import io.queueworker.observe.WorkerEvent.MessageEvent;
import java.util.Locale;
import java.util.Optional;

/** How an event that takes no time is drawn: a shape of its own, so that nobody depends on colors alone. */
enum Sign {
  /** A receive. */
  RECEIVE("receive", true, "M-2,-8 L9,0 L-2,8 Z"),
  /** An extension that succeeded. */
  BEAT("beat: the lease is extended", true, "M0,-5 L5,0 L0,5 L-5,0 Z"),
  /** An extension that failed. */
  BEAT_FAILED("beat that failed", true, "M-4,-6 L0,-2 L4,-6 L6,-4 L2,0 L6,4 L4,6 L0,2 L-4,6 L-6,4 L-2,0 L-6,-4 Z"),
  /** The end of a lease that nobody wanted. */
  LOST("lease lost", true, "M-2,-10 L2,-10 L2,10 L-2,10 Z M2,-10 L12,-6 L2,-2 Z"),
  /** A commit. */
  COMMIT("commit: the effect is durable", false, "M-9,0 L-6,-3 L-3,0 L5,-8 L8,-5 L-3,6 Z"),
  /** A redelivery that the gate let do nothing. */
  SUPPRESSED(
      "suppressed: no second effect",
      false,
      "M0,-8 A8,8 0 1,0 0,8 A8,8 0 1,0 0,-8 Z M-5,-1.5 L5,-1.5 L5,1.5 L-5,1.5 Z"),
  /** A failed attempt. */
  FAILED("attempt failed", false, "M0,-8 L9,7 L-9,7 Z M-1,-3 L1,-3 L1,3 L-1,3 Z"),
  /** A delete. */
  DELETE("delete", true, "M-6,-6 L6,-6 L6,6 L-6,6 Z"),
  /** A release, or a message left to come back. */
  RELEASE("goes back to the queue", true, "M8,-2 L-1,-2 L-1,-7 L-9,0 L-1,7 L-1,2 L8,2 Z"),
  /** A message moved to the dead-letter queue. */
  REJECT("moved to the dead-letter queue", true, "M-2,-8 L2,-8 L2,1 L7,1 L0,9 L-7,1 L-2,1 Z"),
  /** A delete, release or reject that failed. */
  SETTLE_FAILED("delete, release or move that failed", true,
      "M-6,-6 L6,-6 L6,6 L-6,6 Z M-3.5,-3.5 L-3.5,3.5 L3.5,3.5 L3.5,-3.5 Z"),
  /** Anything else that a person may want to know of. */
  NOTE("something else: see its title", false, "M0,-4 A4,4 0 1,0 0,4 A4,4 0 1,0 0,-4 Z");

  private final String words;
  private final boolean onLease;
  private final String path;

  Sign(String words, boolean onLease, String path) {
    this.words = words;
    this.onLease = onLease;
    this.path = path;
  }

  /** The sign of an event; empty for what is drawn as a span's start or end. */
  static Optional<Sign> of(MessageEvent event) {
    return switch (event) {
      case WorkerEvent.Received e -> Optional.of(RECEIVE);
      case WorkerEvent.Extended e -> Optional.of(BEAT);
      case WorkerEvent.ExtendFailed e -> Optional.of(BEAT_FAILED);
      case WorkerEvent.LeaseLost e -> Optional.of(LOST);
      case WorkerEvent.NotStarted e -> Optional.of(LOST);
      case WorkerEvent.Committed e -> Optional.of(COMMIT);
      case WorkerEvent.Suppressed e -> Optional.of(SUPPRESSED);
      case WorkerEvent.Failed e -> Optional.of(FAILED);
      case WorkerEvent.Deleted e -> Optional.of(DELETE);
      case WorkerEvent.Released e -> Optional.of(RELEASE);
      case WorkerEvent.LeftForRedrive e -> Optional.of(RELEASE);
      case WorkerEvent.Rejected e -> Optional.of(REJECT);
      case WorkerEvent.DeleteFailed e -> Optional.of(SETTLE_FAILED);
      case WorkerEvent.ReleaseFailed e -> Optional.of(SETTLE_FAILED);
      case WorkerEvent.RejectFailed e -> Optional.of(SETTLE_FAILED);
      case WorkerEvent.ExtendSent e -> Optional.empty();
      case WorkerEvent.HandlerStarted e -> Optional.empty();
      case WorkerEvent.HandlerReturned e -> Optional.empty();
      default -> Optional.of(NOTE);
    };
  }

  /** What it means. */
  String words() {
    return words;
  }

  /** Whether it belongs on the lease's bar; on the handler's otherwise. */
  boolean isOnLease() {
    return onLease;
  }

  /** Its outline around the point where it is drawn. */
  String path() {
    return path;
  }

  /** Its class in the style sheet, and in the page for those who read it by program. */
  String cssClass() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
