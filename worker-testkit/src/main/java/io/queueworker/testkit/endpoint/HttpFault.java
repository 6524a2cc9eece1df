package io.queueworker.testkit.endpoint;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What goes wrong with one call to the endpoint. {@link #none()} is a call that goes well; each other factory changes one
 * thing, and {@link #afterDelay} and {@link #replyAfter} add to any of them. Immutable.
 */
public final class HttpFault {

  private static final HttpFault NONE =
      new HttpFault(Kind.NONE, Duration.ZERO, Duration.ZERO, Optional.empty(), null);

  /** How a call ends. */
  enum Kind {
    /** It is served and answered. */
    NONE,
    /** It has no effect; the connection is reset. */
    RESET,
    /** It has no effect and no answer; the connection stays open. */
    LOSE_REQUEST,
    /** It has no effect and is answered with an error. */
    ERROR,
    /** It has its effect; the connection is reset in place of the answer. */
    LOSE_REPLY,
    /** It has its effect; the answer starts and never ends. */
    HANG_BODY,
    /** It has its effect; the checksums in the answer are wrong. */
    CORRUPT_MD5
  }

  /** Which entries of a batch fail. */
  @FunctionalInterface
  public interface EntryFailures {

    /**
     * The error of one entry, which then has no effect; empty lets it go well. Asked once for each entry, when its call
     * arrives.
     *
     * @param position its place in the batch, from 0 on
     * @param messageId the message; empty for a send, and when the receipt was never given out
     */
    Optional<ServiceError> of(int position, String messageId);
  }

  private final Kind kind;
  private final Duration requestDelay;
  private final Duration replyDelay;
  private final Optional<ServiceError> error;
  private final @Nullable EntryFailures entries;

  private HttpFault(
      Kind kind, Duration requestDelay, Duration replyDelay, Optional<ServiceError> error,
      @Nullable EntryFailures entries) {
    this.kind = kind;
    this.requestDelay = requestDelay;
    this.replyDelay = replyDelay;
    this.error = error;
    this.entries = entries;
  }

  private static HttpFault of(Kind kind) {
    return new HttpFault(kind, Duration.ZERO, Duration.ZERO, Optional.empty(), null);
  }

  /** Nothing goes wrong. */
  public static HttpFault none() {
    return NONE;
  }

  /** The service refuses the whole call and does nothing. */
  public static HttpFault error(ServiceError error) {
    return new HttpFault(Kind.ERROR, Duration.ZERO, Duration.ZERO, Optional.of(error), null);
  }

  /** The connection is reset before the call has any effect. */
  public static HttpFault reset() {
    return of(Kind.RESET);
  }

  /** The call has no effect and the client waits until its timeout. */
  public static HttpFault loseRequest() {
    return of(Kind.LOSE_REQUEST);
  }

  /** The call has its effect, then the connection is reset in place of the answer. */
  public static HttpFault loseReply() {
    return of(Kind.LOSE_REPLY);
  }

  /** The call has its effect, and the answer's head and most of its body come, but never its end. */
  public static HttpFault hangBody() {
    return of(Kind.HANG_BODY);
  }

  /**
   * The call has its effect and its answer carries checksums that are wrong, which the SDK refuses. A line of the script with
   * this fault is for sends and receives; a receive that brings nothing has no checksum and is no hit.
   */
  public static HttpFault corruptMd5() {
    return of(Kind.CORRUPT_MD5);
  }

  /** The effect comes this much later; the client may have given up meanwhile, and it comes all the same. */
  public static HttpFault delayRequest(Duration by) {
    return NONE.afterDelay(by);
  }

  /** The effect comes in time, the answer this much later. */
  public static HttpFault delayReply(Duration by) {
    return NONE.replyAfter(by);
  }

  /**
   * Chosen entries of a batch fail, in an answer with HTTP 200, and have no effect. A line of the script with this fault is for
   * batches in which an entry fails: it lets single calls and other batches go well, and they are no hits.
   */
  public static HttpFault entries(EntryFailures failures) {
    return new HttpFault(Kind.NONE, Duration.ZERO, Duration.ZERO, Optional.empty(), failures);
  }

  /** {@link #entries} at these places of the batch, from 0 on. */
  public static HttpFault entriesAt(ServiceError error, int... positions) {
    Set<Integer> failing = Arrays.stream(positions).boxed().collect(Collectors.toSet());
    return entries((position, messageId) -> failing.contains(position) ? Optional.of(error) : Optional.empty());
  }

  /** {@link #entries}, all of them. */
  public static HttpFault everyEntry(ServiceError error) {
    return entries((position, messageId) -> Optional.of(error));
  }

  /** This fault, this much after the call's arrival. */
  public HttpFault afterDelay(Duration delay) {
    return new HttpFault(kind, notNegative(delay), replyDelay, error, entries);
  }

  /** This fault, with the answer (or what comes in its place) this much after the effect. */
  public HttpFault replyAfter(Duration delay) {
    return new HttpFault(kind, requestDelay, notNegative(delay), error, entries);
  }

  private static Duration notNegative(Duration delay) {
    if (delay.isNegative()) {
      throw new IllegalArgumentException("delay = " + delay + ": give zero or more");
    }
    return delay;
  }

  /**
   * This fault with its decisions about the call's entries made, each asked for once; empty when it could do nothing to the call.
   */
  Optional<HttpFault> decidedFor(EndpointCall call) {
    if (kind == Kind.CORRUPT_MD5) {
      boolean answeredWithChecksums = call.operation() == Operation.SEND || call.operation() == Operation.RECEIVE;
      return answeredWithChecksums ? Optional.of(this) : Optional.empty();
    }
    EntryFailures failures = entries;
    if (failures == null) {
      return Optional.of(this);
    }
    if (!call.batch()) {
      return Optional.empty();
    }
    List<Optional<ServiceError>> errors = new ArrayList<>();
    for (EndpointCall.Entry entry : call.entries()) {
      errors.add(failures.of(errors.size(), entry.messageId()));
    }
    return errors.stream().anyMatch(Optional::isPresent)
        ? Optional.of(new HttpFault(kind, requestDelay, replyDelay, error, (at, messageId) -> errors.get(at)))
        : Optional.empty();
  }

  Kind kind() {
    return kind;
  }

  Duration requestDelay() {
    return requestDelay;
  }

  Duration replyDelay() {
    return replyDelay;
  }

  Optional<ServiceError> error() {
    return error;
  }

  /** What one entry fails with; empty when it goes well. */
  Optional<ServiceError> errorOf(int position, String messageId) {
    return entries == null ? Optional.empty() : entries.of(position, messageId);
  }

  @Override
  public String toString() {
    return "HttpFault[" + kind + error.map(known -> " " + known.code()).orElse("") + "]";
  }
}
