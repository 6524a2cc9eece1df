package io.queueworker.testkit.simulation;

import io.queueworker.queue.EntryResult;
import io.queueworker.queue.QueueException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What goes wrong with one call to a simulated queue, or with the machine that makes it. Immutable.
 *
 * <p>{@link #none()} is a call that goes well; the other factories change one thing each.
 */
public final class Fault {

  private static final Fault NONE = cut(Loss.NOTHING, Death.NEVER);

  /** Which part of the conversation is lost. */
  enum Loss {
    NOTHING,
    REQUEST,
    REPLY
  }

  /** When the caller's machine dies. */
  enum Death {
    NEVER,
    BEFORE_SEND,
    AFTER_SEND,
    AFTER_REPLY
  }

  private final Duration freeze;
  private final Duration requestDelay;
  private final Duration replyDelay;
  private final @Nullable QueueException error;
  private final @Nullable Function<String, Optional<EntryResult>> entries;
  private final Loss loss;
  private final Death death;
  private final boolean clientTimesOut;

  private Fault(
      Duration freeze,
      Duration requestDelay,
      Duration replyDelay,
      @Nullable QueueException error,
      @Nullable Function<String, Optional<EntryResult>> entries,
      Loss loss,
      Death death,
      boolean clientTimesOut) {
    this.freeze = freeze;
    this.requestDelay = requestDelay;
    this.replyDelay = replyDelay;
    this.error = error;
    this.entries = entries;
    this.loss = loss;
    this.death = death;
    this.clientTimesOut = clientTimesOut;
  }

  private static Fault cut(Loss loss, Death death) {
    return new Fault(Duration.ZERO, Duration.ZERO, Duration.ZERO, null, null, loss, death, true);
  }

  private static Fault late(Duration freeze, Duration request, Duration reply, boolean clientTimesOut) {
    return new Fault(freeze, request, reply, null, null, Loss.NOTHING, Death.NEVER, clientTimesOut);
  }

  private static Fault answered(
      @Nullable QueueException error, @Nullable Function<String, Optional<EntryResult>> entries) {
    return new Fault(
        Duration.ZERO, Duration.ZERO, Duration.ZERO, error, entries, Loss.NOTHING, Death.NEVER, true);
  }

  /** Nothing goes wrong. */
  public static Fault none() {
    return NONE;
  }

  /**
   * The service refuses the whole call and does nothing. A receive and an attribute read throw {@code error}; entries of a
   * batch are {@link EntryResult.Denied} when permission is missing, else {@link EntryResult.Retryable}.
   */
  public static Fault fail(QueueException error) {
    return answered(error, null);
  }

  /** {@link #fail} because of too many calls. */
  public static Fault throttled() {
    return fail(QueueException.of(QueueException.Kind.THROTTLED, "Rate exceeded", null));
  }

  /** {@link #fail} because of too many calls to the service that keeps the queue's key; the SDK does not repeat such a call. */
  public static Fault kmsThrottled() {
    return fail(
        QueueException.of(
            QueueException.Kind.THROTTLED,
            "KMS.ThrottlingException: You have exceeded the rate at which you may call KMS.",
            null));
  }

  /** {@link #fail} because too many messages are in flight. */
  public static Fault overLimit() {
    return fail(QueueException.of(QueueException.Kind.OVER_LIMIT, "OverLimit: too many messages are in flight", null));
  }

  /** {@link #fail} because the queue does not exist, or not any more. */
  public static Fault queueDoesNotExist() {
    return fail(
        QueueException.of(
            QueueException.Kind.MISSING, "NonExistentQueue: The specified queue does not exist.", null));
  }

  /** {@link #fail} of a call of this kind because the permission that it needs is missing. */
  public static Fault accessDenied(CallKind kind) {
    return fail(
        QueueException.denied(
            kind.permission(), "AccessDenied: the caller is not authorized to perform " + kind.permission(), null));
  }

  /** {@link #fail} of a call of this kind because the credentials are too old. */
  public static Fault expiredToken(CallKind kind) {
    return fail(
        QueueException.denied(
            kind.permission(), "ExpiredToken: The security token included in the request is expired", null));
  }

  /** {@link #fail} because the service cannot be reached. */
  public static Fault unavailable() {
    return fail(QueueException.of(QueueException.Kind.UNAVAILABLE, "the service cannot be reached", null));
  }

  /**
   * The service answers some entries of a batch with these results and does nothing for them.
   *
   * @param answers by message id; empty lets the entry go well
   */
  public static Fault entries(Function<String, Optional<EntryResult>> answers) {
    return answered(null, answers);
  }

  /** The service answers every entry of a batch with this result and does nothing. */
  public static Fault everyEntry(EntryResult answer) {
    return entries(messageId -> Optional.of(answer));
  }

  /** The request arrives this much later; the client may have given up meanwhile, and the effect comes all the same. */
  public static Fault delayRequest(Duration by) {
    return late(Duration.ZERO, by, Duration.ZERO, true);
  }

  /** The effect comes in time, the answer this much later; the client may have given up meanwhile. */
  public static Fault delayReply(Duration by) {
    return late(Duration.ZERO, Duration.ZERO, by, true);
  }

  /** The request never arrives: no effect, and the client waits until its timeout. */
  public static Fault loseRequest() {
    return cut(Loss.REQUEST, Death.NEVER);
  }

  /** The effect comes, then the connection closes instead of the answer. */
  public static Fault loseReply() {
    return cut(Loss.REPLY, Death.NEVER);
  }

  /** The effect comes in time, the answer this much later, and the client hangs until then without any timeout. */
  public static Fault hang(Duration until) {
    return late(Duration.ZERO, Duration.ZERO, until, false);
  }

  /**
   * The machine of the calling thread stands still for {@code length} after the worker decided to call and before the bytes
   * leave, as in a long collection. The call then goes well, but late: nothing in the worker can keep it back.
   */
  public static Fault freezeBeforeSend(Duration length) {
    return late(length, Duration.ZERO, Duration.ZERO, true);
  }

  /** The machine of the calling thread dies before the bytes leave: the call was never made. Not for the home machine. */
  public static Fault killBeforeSend() {
    return cut(Loss.NOTHING, Death.BEFORE_SEND);
  }

  /** The machine of the calling thread dies when the bytes have left: the effect comes. Not for the home machine. */
  public static Fault killAfterSend() {
    return cut(Loss.NOTHING, Death.AFTER_SEND);
  }

  /**
   * The machine of the calling thread dies when the answer reaches it, and no thread of it sees the answer. Not for the home
   * machine.
   */
  public static Fault killAfterReply() {
    return cut(Loss.NOTHING, Death.AFTER_REPLY);
  }

  /** Whether it is about single entries of a batch. */
  boolean isOfEntries() {
    return entries != null;
  }

  /** This fault with its answers to these entries given, each asked for once; empty when it would let all of them go well. */
  Optional<Fault> decidedFor(List<String> messageIds) {
    Function<String, Optional<EntryResult>> chosen = entries;
    if (chosen == null) {
      return Optional.of(this);
    }
    Map<String, EntryResult> answers = new HashMap<>();
    messageIds.forEach(id -> chosen.apply(id).ifPresent(answer -> answers.put(id, answer)));
    return answers.isEmpty() ? Optional.empty() : Optional.of(entries(id -> Optional.ofNullable(answers.get(id))));
  }

  Duration freeze() {
    return freeze;
  }

  Duration requestDelay() {
    return requestDelay;
  }

  Duration replyDelay() {
    return replyDelay;
  }

  @Nullable
  QueueException error() {
    return error;
  }

  Optional<EntryResult> answerFor(String messageId) {
    return entries == null ? Optional.empty() : entries.apply(messageId);
  }

  Loss loss() {
    return loss;
  }

  Death death() {
    return death;
  }

  boolean clientTimesOut() {
    return clientTimesOut;
  }
}
