package io.queueworker.testkit.simulation;

import io.queueworker.queue.EntryResult;
import io.queueworker.queue.QueueException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What goes wrong with one call to a simulated queue. Immutable.
 *
 * <p>{@link #none()} is a call that goes well; the other factories change one thing each.
 */
public final class Fault {

  private static final Fault NONE =
      new Fault(Duration.ZERO, Duration.ZERO, null, messageId -> Optional.empty(), Loss.NOTHING, true);

  /** Which part of the conversation is lost. */
  enum Loss {
    NOTHING,
    REQUEST,
    REPLY
  }

  private final Duration requestDelay;
  private final Duration replyDelay;
  private final @Nullable QueueException error;
  private final Function<String, Optional<EntryResult>> entries;
  private final Loss loss;
  private final boolean clientTimesOut;

  private Fault(
      Duration requestDelay,
      Duration replyDelay,
      @Nullable QueueException error,
      Function<String, Optional<EntryResult>> entries,
      Loss loss,
      boolean clientTimesOut) {
    this.requestDelay = requestDelay;
    this.replyDelay = replyDelay;
    this.error = error;
    this.entries = entries;
    this.loss = loss;
    this.clientTimesOut = clientTimesOut;
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
    return new Fault(Duration.ZERO, Duration.ZERO, error, NONE.entries, Loss.NOTHING, true);
  }

  /** {@link #fail} because of too many calls. */
  public static Fault throttled() {
    return fail(QueueException.of(QueueException.Kind.THROTTLED, "Rate exceeded", null));
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
    return new Fault(Duration.ZERO, Duration.ZERO, null, answers, Loss.NOTHING, true);
  }

  /** The service answers every entry of a batch with this result and does nothing. */
  public static Fault everyEntry(EntryResult answer) {
    return entries(messageId -> Optional.of(answer));
  }

  /** The request arrives this much later; the client may have given up meanwhile, and the effect comes all the same. */
  public static Fault delayRequest(Duration by) {
    return new Fault(by, Duration.ZERO, null, NONE.entries, Loss.NOTHING, true);
  }

  /** The effect comes in time, the answer this much later; the client may have given up meanwhile. */
  public static Fault delayReply(Duration by) {
    return new Fault(Duration.ZERO, by, null, NONE.entries, Loss.NOTHING, true);
  }

  /** The request never arrives: no effect, and the client waits until its timeout. */
  public static Fault loseRequest() {
    return new Fault(Duration.ZERO, Duration.ZERO, null, NONE.entries, Loss.REQUEST, true);
  }

  /** The effect comes, then the connection closes instead of the answer. */
  public static Fault loseReply() {
    return new Fault(Duration.ZERO, Duration.ZERO, null, NONE.entries, Loss.REPLY, true);
  }

  /** The effect comes in time, the answer this much later, and the client hangs until then without any timeout. */
  public static Fault hang(Duration until) {
    return new Fault(Duration.ZERO, until, null, NONE.entries, Loss.NOTHING, false);
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
    return entries.apply(messageId);
  }

  Loss loss() {
    return loss;
  }

  boolean clientTimesOut() {
    return clientTimesOut;
  }
}
