package io.queueworker.handle;

import static io.queueworker.timing.PlainDuration.text;

import io.queueworker.DuplicateCause;
import io.queueworker.DuplicateDiagnosis;
import io.queueworker.gate.Admission.Completion;
import io.queueworker.gate.LeaseStory;
import io.queueworker.gate.LeaseStory.Standing;
import io.queueworker.lease.Lease;
import io.queueworker.lease.LeaseTerms;
import io.queueworker.queue.ReceivedMessage;
import io.queueworker.queue.RejectAttributes;
import io.queueworker.settle.Remembered;
import java.time.Duration;
import java.util.Optional;

/**
 * A redelivery that was recognised, with what is known about it: the gate's record of the work, what this worker remembers of
 * it, and the message as it came. docs/duplicates.md lists what each cause follows from.
 *
 * <p>Immutable.
 *
 * @param worker this worker's id
 * @param age how long ago this receive was
 * @param lease how this receive's lease stands
 * @param unanswered whether a commit of this same run was sent and not answered
 * @param by whose work it was, where the gate knows
 * @param memory what this worker remembers of the message, when its memory recognised it
 */
record Duplicate(
    String worker,
    ReceivedMessage message,
    Duration age,
    LeaseStory lease,
    boolean unanswered,
    Optional<Completion> by,
    Optional<Memory> memory) {

  private static final Duration LONGEST_DELETE = Duration.ofNanos(LeaseTerms.SETTLE_LIMIT);

  /**
   * A work that this worker remembers.
   *
   * @param ago how long ago it was done
   * @param stoodStill whether the process stood still when the lease's time ran out after it
   */
  record Memory(Remembered work, Duration ago, boolean stoodStill) {}

  /**
   * Why the message of {@code lease} came again, by what there is at this moment.
   *
   * @param unanswered whether a commit of this same run was sent and not answered
   * @param by whose work it was, where the gate knows
   */
  static DuplicateDiagnosis diagnosis(RunParts parts, Lease lease, boolean unanswered, Optional<Completion> by) {
    long now = parts.clock().now();
    Optional<Remembered> own = by.isPresent() ? Optional.empty() : parts.completed().recall(lease.message().id());
    return new Duplicate(
        parts.worker(),
        lease.message(),
        Duration.ofNanos(lease.age(now)),
        lease.story(parts.clock()),
        unanswered,
        by,
        own.map(work -> new Memory(
            work, Duration.ofNanos(now - work.at()), parts.clock().stoodStillAt(work.heldUntil()))))
        .diagnosis();
  }

  /** Why it came, by the facts there are. */
  DuplicateDiagnosis diagnosis() {
    return memory.map(this::remembered)
        .or(() -> by.map(this::recorded))
        .orElseGet(
            () -> because(DuplicateCause.UNKNOWN, "Neither the gate nor this worker's memory tells who did the work."));
  }

  private DuplicateDiagnosis remembered(Memory known) {
    Remembered work = known.work();
    Work done = new Work("This worker", work.receiveCount(), work.took());
    if (work.lease().standing() != Standing.HELD) {
      return lost(done, work.lease(), "");
    }
    Duration until = known.ago().minus(age);
    if (!work.deleted() && known.stoodStill()) {
      // Before the time until it came is asked: a receive that the standstill cut through counts from the standstill's start.
      return because(
          DuplicateCause.PROCESS_FROZEN,
          done.did()
              + ", and its process stood still between the commit and the delete while the visibility timeout of "
              + text(work.lease().visibility()) + " ran out.");
    }
    if (work.deleted() || until.compareTo(work.lease().left()) < 0) {
      return because(
          DuplicateCause.SERVICE_DUPLICATE,
          done.did() + (work.deleted() ? ", and its delete was confirmed; " : ", and held it; ")
              + "the service delivered it again " + after(until) + ".");
    }
    return because(
        DuplicateCause.DELETE_FAILED,
        done.did() + work.deleteFailed()
            .map(why -> ", and its delete failed (" + why + "); it came again ")
            .orElse(", and its delete is not answered yet; it came again ") + after(until) + ".");
  }

  private DuplicateDiagnosis recorded(Completion work) {
    Work done =
        new Work(
            work.worker().equals(worker) ? "This worker" : "Worker " + work.worker(), work.receiveCount(), work.took());
    if (!work.messageId().equals(message.id())) {
      return anotherMessage(done, work);
    }
    if (work.receiveCount() == message.receiveCount() && work.worker().equals(worker)) {
      return because(
          DuplicateCause.COMMIT_UNANSWERED,
          done.did() + (unanswered ? "; the commit was sent and not answered" : "; the answer to that did not arrive")
              + ", so it asked again.");
    }
    if (work.receiveCount() > message.receiveCount()) {
      return overtaken(done);
    }
    return work.lease().standing() == Standing.HELD ? held(done, work) : lost(done, work.lease(), "");
  }

  private DuplicateDiagnosis anotherMessage(Work done, Completion work) {
    String first = message.attributes().get(RejectAttributes.ORIGINAL_MESSAGE_ID);
    if (work.messageId().equals(first)) {
      return because(
          DuplicateCause.REDRIVEN,
          done.did() + since(work) + "; the message was " + first
              + " then and came back from a dead-letter queue with a new id.");
    }
    return because(
        DuplicateCause.PRODUCER_DUPLICATE,
        done.who + " did the work of this key for another message, " + work.messageId() + since(work)
            + message.sentAt().map(at -> "; this one was sent at " + at).orElse("") + ".");
  }

  /** A later receive of the message was done first, so it is this one's lease that ended. */
  private DuplicateDiagnosis overtaken(Work done) {
    String first = "; " + done.who + " had it at receive count " + done.receiveCount + " and was done first";
    Work own = new Work("This worker", message.receiveCount(), age);
    return lease.standing() == Standing.HELD
        ? because(
            DuplicateCause.SERVICE_DUPLICATE,
            "This worker holds it at receive count " + message.receiveCount()
                + ", and the service delivered it to another meanwhile" + first + ".")
        : lost(own, lease, first);
  }

  /** The lease was held at the commit: what happened between that and the delete is told by when it came again. */
  private DuplicateDiagnosis held(Work done, Completion work) {
    Duration left = work.lease().left();
    if (work.ago().isEmpty()) {
      return because(
          DuplicateCause.UNKNOWN, done.did() + " and held it then; the gate does not tell how long ago that was.");
    }
    Duration until = work.ago().get().minus(age);
    if (until.compareTo(left) < 0) {
      return because(
          DuplicateCause.SERVICE_DUPLICATE,
          done.did() + " and held it for another " + text(left) + "; the service delivered it again " + after(until)
              + (until.isNegative() ? "." : ", unless that worker gave it back since its commit was not answered."));
    }
    String facts = done.did() + " and held it for another " + text(left) + "; it came again " + after(until);
    return until.compareTo(LONGEST_DELETE) < 0
        ? because(
            DuplicateCause.PROCESS_DIED,
            facts
                + ". Most likely the worker died or stood still before the delete: a living one whose heartbeat is"
                + " on holds a message that it cannot delete for " + text(LONGEST_DELETE) + ".")
        : because(
            DuplicateCause.DELETE_FAILED,
            facts + ". Most likely its deletes failed: it holds such a message for " + text(LONGEST_DELETE)
                + ". If it died then, the message waited in the queue.");
  }

  private DuplicateDiagnosis lost(Work done, LeaseStory story, String then) {
    String took = done.took() + " against a visibility timeout of " + text(story.visibility());
    return switch (story.standing()) {
      case NOT_EXTENDED ->
          because(DuplicateCause.TIMEOUT_TOO_SHORT, took + ", and its heartbeat is off" + then + ".");
      case BEATS_FAILED ->
          because(DuplicateCause.BEATS_FAILED, took + ", and no extension succeeded before that ran out" + then + ".");
      case REFUSED -> because(DuplicateCause.BEATS_FAILED, took + ", and the service refused its receipt" + then + ".");
      case TAKEN_OVER ->
          because(
              DuplicateCause.BEATS_FAILED, took + ", and the gate's record was not renewed in time" + then + ".");
      case BEATS_DENIED ->
          because(
              DuplicateCause.BEATS_DENIED,
              took + ", and its extensions were denied for want of sqs:ChangeMessageVisibility" + then + ".");
      case STOOD_STILL ->
          because(DuplicateCause.PROCESS_FROZEN,
              took + ", and its process stood still while that ran out" + then + ".");
      case OVERTIME -> givenUp(done, "the handler ran past maxProcessingTime", then);
      case STALLED -> givenUp(done, "the handler reported no progress within stallTimeout", then);
      case GIVEN_UP -> givenUp(done, "keepAliveWhile turned false", then);
      case MAX_HOLD -> givenUp(done, "the message had been held for maxHold", then);
      case CLOSED ->
          because(
              DuplicateCause.WORKER_CLOSED,
              done.took() + "; the worker closed before that, and the message went back" + then + ".");
      case HELD, UNKNOWN ->
          because(
              DuplicateCause.UNKNOWN,
              done.did() + "; the gate's record does not tell how its lease stood then" + then + ".");
    };
  }

  private static DuplicateDiagnosis givenUp(Work done, String rule, String then) {
    return because(
        DuplicateCause.GIVEN_UP, done.took() + ", but had given the message up before, since " + rule + then + ".");
  }

  /** How long before this receive the work was done. */
  private String since(Completion work) {
    return work.ago().map(ago -> ago.minus(age)).map(until -> ", " + (until.isNegative()
        ? "while this one was here"
        : text(until) + " before this one came")).orElse("");
  }

  private static String after(Duration until) {
    return until.isNegative() ? "while the work went on" : text(until) + " after that";
  }

  private static DuplicateDiagnosis because(DuplicateCause cause, String facts) {
    return new DuplicateDiagnosis(cause, facts);
  }

  /** Who did it, at which receive of the message, and how long it took. */
  private record Work(String who, int receiveCount, Duration duration) {

    String did() {
      return who + " did the work at receive count " + receiveCount + " in " + text(duration);
    }

    String took() {
      return who + " took " + text(duration) + " for the work at receive count " + receiveCount;
    }
  }
}
