package io.queueworker.deadletter;

import io.github.resilience4j.ratelimiter.RateLimiter;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Which dead letters go back, and how. Immutable; as thread-safe as the functions given to it, which the thread that runs the
 * redrive calls.
 */
public final class RedriveRequest {

  private static final double LEAST_RATE = 0.01;
  private static final double MOST_RATE = 1_000;

  final Predicate<DeadLetter> filter;
  final boolean one;
  final int count;
  final Duration visibility;
  final KeySource keys;
  final boolean anySource;
  final boolean dryRun;
  final Rate.Source rate;
  final Consumer<RedriveProgress> progress;
  final BooleanSupplier cancelled;

  private RedriveRequest(Draft draft) {
    this.filter = draft.filter;
    this.one = draft.one;
    this.count = draft.count;
    this.visibility = draft.visibility;
    this.keys = draft.keys;
    this.anySource = draft.anySource;
    this.dryRun = draft.dryRun;
    this.rate = draft.rate;
    this.progress = draft.progress;
    this.cancelled = draft.cancelled;
  }

  /** Every dead letter of the source queue. */
  public static RedriveRequest all() {
    return new RedriveRequest(new Draft());
  }

  /**
   * Those that the filter accepts; it sees body and attributes too. What it throws ends the redrive and reaches the caller. On a
   * FIFO queue a message that it leaves out is overtaken by later ones of its group.
   */
  public static RedriveRequest matching(Predicate<DeadLetter> filter) {
    Draft draft = new Draft();
    draft.filter = filter;
    return new RedriveRequest(draft);
  }

  /** The one with this id, on the dead-letter queue or when it was first rejected. */
  public static RedriveRequest only(String id) {
    Draft draft = new Draft();
    draft.filter = letter -> letter.id().equals(id) || letter.originalId().equals(id);
    draft.one = true;
    return new RedriveRequest(draft);
  }

  /** At most so many, at least 1. */
  public RedriveRequest atMost(int letters) {
    if (letters < 1) {
      throw new IllegalArgumentException("atMost = " + letters + ": give at least 1");
    }
    Draft draft = new Draft(this);
    draft.count = letters;
    return new RedriveRequest(draft);
  }

  /** At most so many messages a second, 0.01 to 1,000. Without a rate it goes as fast as one call after the other. */
  public RedriveRequest perSecond(double messages) {
    if (!(messages >= LEAST_RATE && messages <= MOST_RATE)) {
      throw new IllegalArgumentException("perSecond = " + messages + ": give 0.01 to 1,000");
    }
    Draft draft = new Draft(this);
    draft.rate = timing -> Rate.perSecond(timing, messages);
    return new RedriveRequest(draft);
  }

  /** As fast as the limiter, which may be shared with others, gives permissions; it is asked for one before each message. */
  public RedriveRequest rateLimiter(RateLimiter limiter) {
    Draft draft = new Draft(this);
    draft.rate = timing -> Rate.of(limiter);
    return new RedriveRequest(draft);
  }

  /**
   * How long each receive hides what it brings, 10 seconds to 12 hours in whole seconds; 60 seconds unless set. What the redrive
   * works on is extended; what it passed over it gives back at its end, and comes back by itself when it dies.
   */
  public RedriveRequest hiddenFor(Duration time) {
    Terms.requireVisibility(time);
    Draft draft = new Draft(this);
    draft.visibility = time;
    return new RedriveRequest(draft);
  }

  /**
   * What the workers' idempotency keys are made of; {@link KeySource#MESSAGE_ID} unless set. Then a message with ten attributes of
   * its own stays, as there is no room for its first id.
   */
  public RedriveRequest keys(KeySource source) {
    Draft draft = new Draft(this);
    draft.keys = source;
    return new RedriveRequest(draft);
  }

  /** Also those that the service moved from another queue, or a worker rejected from one, which else are passed over: a dead-letter queue may serve several. */
  public RedriveRequest fromAnyQueue() {
    Draft draft = new Draft(this);
    draft.anySource = true;
    return new RedriveRequest(draft);
  }

  /** Sends and deletes nothing: the report counts what would have gone back. */
  public RedriveRequest dryRun() {
    Draft draft = new Draft(this);
    draft.dryRun = true;
    return new RedriveRequest(draft);
  }

  /** Tells how far it is after each message, on the thread that runs the redrive. What it throws ends the redrive. */
  public RedriveRequest onProgress(Consumer<RedriveProgress> listener) {
    Draft draft = new Draft(this);
    draft.progress = listener;
    return new RedriveRequest(draft);
  }

  /** Ends it, between two messages or in a wait, once this is true. An interrupt of the thread that runs it does the same. */
  public RedriveRequest cancelWhen(BooleanSupplier condition) {
    Draft draft = new Draft(this);
    draft.cancelled = condition;
    return new RedriveRequest(draft);
  }

  /** A request under way. Not thread-safe. */
  private static final class Draft {
    Predicate<DeadLetter> filter = letter -> true;
    boolean one;
    int count = Integer.MAX_VALUE;
    Duration visibility = Duration.ofSeconds(60);
    KeySource keys = KeySource.MESSAGE_ID;
    boolean anySource;
    boolean dryRun;
    Rate.Source rate = timing -> Rate.UNLIMITED;
    Consumer<RedriveProgress> progress = now -> {};
    BooleanSupplier cancelled = () -> false;

    Draft() {}

    Draft(RedriveRequest request) {
      filter = request.filter;
      one = request.one;
      count = request.count;
      visibility = request.visibility;
      keys = request.keys;
      anySource = request.anySource;
      dryRun = request.dryRun;
      rate = request.rate;
      progress = request.progress;
      cancelled = request.cancelled;
    }
  }
}
