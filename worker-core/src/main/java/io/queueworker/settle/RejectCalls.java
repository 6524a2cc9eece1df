package io.queueworker.settle;

import io.queueworker.lease.Lease;
import io.queueworker.lease.LeaseClock;
import io.queueworker.lease.Losses;
import io.queueworker.observe.Permissions;
import io.queueworker.observe.Permissions.Call;
import io.queueworker.observe.WorkerEvent;
import io.queueworker.observe.WorkerEvent.RejectFailed;
import io.queueworker.observe.WorkerEvent.Rejected;
import io.queueworker.queue.MessageQueue;
import io.queueworker.queue.OutgoingMessage;
import io.queueworker.queue.QueueException;
import io.queueworker.queue.RejectAttributes;
import io.queueworker.queue.SendResult;
import io.queueworker.timing.Timing;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * The sends that reject messages, and what each answer means for the message. Nothing is sent once the lease is lost, and
 * nothing is deleted unless the dead-letter queue has the message and the lease is held. Thread-safe; blocks on I/O.
 */
public final class RejectCalls {

  private static final long GIVE_UP_AFTER = Duration.ofMinutes(10).toNanos();
  private static final long FIRST_RETRY = Duration.ofMillis(500).toNanos();
  private static final long LONGEST_RETRY = Duration.ofSeconds(30).toNanos();

  private final DeadLetterTarget target;
  private final String source;
  private final boolean fifo;
  private final Timing timing;
  private final LeaseClock clock;
  private final Settler settler;
  private final Losses losses;
  private final Permissions permissions;
  private final Duration timeout;
  private final String worker;
  private final Consumer<WorkerEvent> events;

  /**
   * Rejects messages of {@code source}, with sends of up to {@code timeout} each.
   *
   * @param settler deletes what the dead-letter queue has
   * @param worker this worker's id
   */
  public RejectCalls(
      MessageQueue source,
      Timing timing,
      LeaseClock clock,
      Settler settler,
      Losses losses,
      Permissions permissions,
      Duration timeout,
      String worker,
      Consumer<WorkerEvent> events) {
    this.target = new DeadLetterTarget(source, clock);
    this.source = source.name();
    this.fifo = source.traits().fifo();
    this.timing = timing;
    this.clock = clock;
    this.settler = settler;
    this.losses = losses;
    this.permissions = permissions;
    this.timeout = timeout;
    this.worker = worker;
    this.events = events;
  }

  /** Whether nothing is known that would keep a message from being rejected. */
  boolean isPossible() {
    return target.isReachable();
  }

  /** Sends once; gives the nanoseconds after which to send again, or nothing when the message is not ours to reject any more. */
  OptionalLong send(Rejecting message) {
    Optional<MessageQueue> queue;
    if (!isHeld(message)) {
      return lost(message);
    }
    try {
      queue = target.get();
    } catch (QueueException unreadable) {
      if (unreadable.deniedAction().isEmpty()) {
        return tryAgain(message, String.valueOf(unreadable.getMessage()));
      }
      String action = unreadable.deniedAction().get();
      permissions.denied(Call.ATTRIBUTES, action);
      return giveUp(message, "the dead-letter queue is not known, denied: " + action);
    }
    if (queue.isEmpty()) {
      return giveUp(message, "the queue has no dead-letter queue: give it a redrive policy");
    }
    Optional<OutgoingMessage> copy = RejectedCopy.of(message.lease.message(), message.why, source, worker, fifo);
    if (copy.isEmpty()) {
      return giveUp(
          message,
          "ten attributes or 1,048,576 bytes leave no room for the attribute " + RejectAttributes.ORIGINAL_MESSAGE_ID);
    }
    // Finding the queue may have taken long.
    return isHeld(message) ? send(message, queue.get(), copy.get()) : lost(message);
  }

  private SendResult call(Rejecting message, MessageQueue queue, OutgoingMessage copy) {
    Duration left = Duration.ofNanos(message.lease.remaining(clock.now()));
    return queue.send(copy, left.compareTo(timeout) < 0 ? left : timeout);
  }

  private OptionalLong send(Rejecting message, MessageQueue queue, OutgoingMessage copy) {
    SendResult result = call(message, queue, copy);
    OutgoingMessage bare = RejectedCopy.bare(copy);
    if (result instanceof SendResult.Refused && bare.attributes().size() < copy.attributes().size()) {
      // It may be what we say of it, such as where the queue is set to take less than the service does.
      if (!isHeld(message)) {
        return lost(message);
      }
      result = call(message, queue, bare);
    }
    return switch (result) {
      case SendResult.Sent sent -> {
        permissions.allowed(Call.SEND);
        target.denied(false);
        yield taken(message, queue.name());
      }
      case SendResult.Refused refused -> giveUp(message, refused.reason());
      case SendResult.Denied denied -> {
        permissions.denied(Call.SEND, denied.action());
        target.denied(true);
        target.forget();
        yield giveUp(message, "denied: " + denied.action());
      }
      case SendResult.Retryable retryable -> {
        target.forget();
        yield tryAgain(message, retryable.reason());
      }
    };
  }

  private OptionalLong taken(Rejecting message, String queue) {
    if (!isHeld(message)) {
      // The send was decided in time and answered late: another worker may have the message by now, so it is not deleted.
      failed(message, "the dead-letter queue has it, but the lease was lost meanwhile, so it is not deleted", -1);
      return lost(message);
    }
    events.accept(
        new Rejected(
            message.messageId(), message.receiveCount(), queue, message.why.reason()));
    settler.deleteRejected(message.lease, clock.now(), message.permit, message.watch);
    return OptionalLong.empty();
  }

  private OptionalLong tryAgain(Rejecting message, String why) {
    if (clock.now() - message.decidedAt >= GIVE_UP_AFTER) {
      return giveUp(message, why);
    }
    if (!isHeld(message)) {
      return lost(message);
    }
    long pause = pause(message);
    failed(message, why, pause);
    return OptionalLong.of(pause);
  }

  /** Notes a failure; tells how long to wait for the next try, half of it random. */
  long pause(Rejecting message) {
    int doublings = Math.min(message.failed() - 1, 16);
    long longest = Math.min(LONGEST_RETRY, FIRST_RETRY << doublings);
    return (long) (longest * (0.5 + timing.random() / 2));
  }

  private OptionalLong giveUp(Rejecting message, String why) {
    if (!isHeld(message)) {
      return lost(message);
    }
    failed(message, why, -1);
    message.instead.run();
    return OptionalLong.empty();
  }

  private OptionalLong lost(Rejecting message) {
    message.watch.ended(false);
    message.permit.run();
    return OptionalLong.empty();
  }

  private boolean isHeld(Rejecting message) {
    Lease lease = message.lease;
    long now = clock.now();
    losses.review(lease, now);
    return lease.isHeld(now);
  }

  private void failed(Rejecting message, String why, long retryIn) {
    events.accept(
        new RejectFailed(
            message.messageId(),
            message.receiveCount(),
            why,
            retryIn < 0 ? Optional.empty() : Optional.of(Duration.ofNanos(retryIn))));
  }
}
