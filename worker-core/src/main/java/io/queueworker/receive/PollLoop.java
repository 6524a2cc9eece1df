package io.queueworker.receive;

import io.queueworker.lease.LeaseClock;
import io.queueworker.lease.Receive;
import io.queueworker.observe.Permissions;
import io.queueworker.observe.Permissions.Call;
import io.queueworker.observe.WorkerEvent;
import io.queueworker.observe.WorkerEvent.InternalError;
import io.queueworker.observe.WorkerEvent.PollReplaced;
import io.queueworker.observe.WorkerEvent.ReceiveCompleted;
import io.queueworker.observe.WorkerEvent.ReceiveFailed;
import io.queueworker.queue.MessageQueue;
import io.queueworker.queue.QueueException;
import io.queueworker.queue.ReceiveRequest;
import io.queueworker.queue.ReceivedMessage;
import io.queueworker.receive.Pollers.Poller;
import io.queueworker.timing.Timing;
import io.queueworker.timing.Timing.ThreadKind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The pollers of a worker. Each takes permits first and then receives as many messages as it has permits.
 *
 * <p>One poller is always there. Another starts when a receive came back full and permits remain for a next one, a third only when it
 * took long, so that threads wait for the service; one that comes back less than half full ends unless it is the last, with a linger one that does not come back full. So an idle
 * worker, and one to which messages come singly, costs one receive at a time. After a failure one poller
 * goes on, with a growing pause. A receive that does not end by its own deadline is replaced; what it still brings is given
 * back. No {@link Throwable} and no interrupt ends the loop, and a running receive is never aborted: the service may already
 * have handed messages to it.
 *
 * <p>Thread-safe.
 */
public final class PollLoop {

  private static final long PERMIT_LINGER = Duration.ofMillis(20).toNanos();

  /** How long after its own wait a receive may take before it counts as hung. */
  private static final long HUNG_AFTER = Duration.ofSeconds(15).toNanos();

  private final Timing timing;
  private final LeaseClock clock;
  private final MessageQueue queue;
  private final Permits permits;
  private final Pauses pauses;
  private final Pacing pacing;
  private final Permissions permissions;
  private final Intake intake;
  private final Settings settings;
  private final Supplier<Duration> visibility;
  private final Consumer<WorkerEvent> events;
  private final Backoff backoff;

  private final Pollers pollers;
  private final Gathering gathering;
  private final ReceiveWatch watch;

  /**
   * How to poll.
   *
   * @param threadPrefix names poll threads, followed by a number
   * @param maxPollers receives under way at most
   * @param batch messages per receive at most
   * @param longPoll how long one receive may wait for a message
   * @param linger least time from the sending of a receive that came back part-full to the next
   */
  public record Settings(String threadPrefix, int maxPollers, int batch, Duration longPoll, Duration linger) {}

  /** A loop that polls once {@link #start()} was called. */
  public PollLoop(
      Timing timing,
      LeaseClock clock,
      MessageQueue queue,
      Permits permits,
      Pauses pauses,
      Pacing pacing,
      Permissions permissions,
      Intake intake,
      Settings settings,
      Supplier<Duration> visibility,
      Consumer<WorkerEvent> events) {
    this.timing = timing;
    this.clock = clock;
    this.queue = queue;
    this.permits = permits;
    this.pauses = pauses;
    this.pacing = pacing;
    this.permissions = permissions;
    this.intake = intake;
    this.settings = settings;
    this.visibility = visibility;
    this.events = events;
    this.backoff = new Backoff(timing);
    this.gathering = new Gathering(settings.batch(), settings.linger());
    this.pollers = new Pollers(timing, permits, settings.threadPrefix(), settings.maxPollers());
    this.watch = new ReceiveWatch(pauses, permits, pollers);
  }

  /** Starts the first poller; throws when its thread cannot be started. */
  public void start() {
    watch.begin(clock.now());
    pollers.add().ifPresent(this::startThread);
  }

  private void startThread(Poller poller) {
    try {
      timing.start(ThreadKind.PLATFORM, poller.thread, () -> run(poller));
    } catch (Throwable t) {
      // Such as no memory for a thread: it must not count as a poller that is there.
      pollers.ended(poller);
      throw t;
    }
  }

  private void addPoll() {
    try {
      pollers.add().ifPresent(this::startThread);
    } catch (Throwable t) {
      events.accept(new InternalError("start of a poll thread", t));
    }
  }

  private void run(Poller poller) {
    try {
      boolean more = true;
      while (more) {
        try {
          more = pass(poller);
        } catch (Throwable t) {
          pollers.brokeDown(poller);
          events.accept(new InternalError("poll", t));
          pauses.sleep(backoff.failed(backoff.inARow()).length().toNanos(), timing);
        }
      }
    } finally {
      pollers.ended(poller);
    }
  }

  /** One pass of one poller; false when it ends. */
  private boolean pass(Poller poller) {
    if (!pauses.awaitNone()) {
      return false;
    }
    int most = Math.min(pauses.most(), pacing.most(settings.batch(), pollers.held(), clock.now()));
    long pause = Math.max(backoff.left(), most == 0 ? pacing.pause() : 0);
    if (pause > 0) {
      if (pollers.retire(poller)) {
        return false;
      }
      pauses.sleep(pause, timing);
      return true;
    }
    if (most == 0) {
      return true;
    }
    int taken = permits.acquire(most, PERMIT_LINGER);
    if (taken == 0) {
      return false;
    }
    long sentAt = clock.now();
    // While it waited for permits another receive may have failed, or the worker may have been paused.
    if (backoff.left() > 0 || !pauses.tryStart(taken, () -> pollers.receiving(poller, taken, sentAt + hungAfter()))) {
      permits.release(taken);
      return true;
    }
    return receive(poller, taken, sentAt);
  }

  private boolean receive(Poller poller, int asked, long sentAt) {
    Duration hidden = visibility.get();
    Optional<Duration> explicit = queue.traits().receiveVisibility() ? Optional.of(hidden) : Optional.empty();
    int failures = backoff.inARow();
    List<ReceivedMessage> messages;
    try {
      messages = queue.receive(new ReceiveRequest(asked, settings.longPoll(), explicit.orElse(null)));
    } catch (QueueException e) {
      e.deniedAction().ifPresent(action -> permissions.denied(Call.RECEIVE, action));
      return failed(poller, asked, failures, e.kind().name(), String.valueOf(e.getMessage()));
    } catch (Throwable t) {
      return failed(poller, asked, failures, "UNEXPECTED", t.toString());
    }
    long arrivedAt = clock.now();
    backoff.succeeded();
    permissions.allowed(Call.RECEIVE);
    watch.completed(arrivedAt, timing.now());
    events.accept(new ReceiveCompleted(asked, messages.size(), Duration.ofNanos(arrivedAt - sentAt)));
    Receive from = new Receive(hidden, sentAt, hiddenAt(sentAt, arrivedAt));
    if (!pollers.answered(poller)) {
      // Replaced, or the worker stops: its permits are gone, and nobody will work on what came.
      messages.forEach(message -> pollers.giveBack(intake.giveBack(message, from)));
      return false;
    }
    permits.release(Math.max(0, asked - messages.size()));
    messages.forEach(message -> intake.accept(message, from));
    return next(poller, asked, messages.size(), sentAt, arrivedAt - sentAt);
  }

  /**
   * From when what a receive brought counts as hidden: from the answer, but no later than the end of the long poll, when the
   * service answered at the latest. An answer that hung on its way must not look like a fresh lease.
   */
  private long hiddenAt(long sentAt, long arrivedAt) {
    long pollEnd = sentAt + settings.longPoll().toNanos();
    return arrivedAt - pollEnd < 0 ? arrivedAt : pollEnd;
  }

  private boolean next(Poller poller, int asked, int received, long sentAt, long took) {
    if (gathering.wantsAnother(poller, asked, received, pollers.count(), took) && permits.free() >= settings.batch()) {
      addPoll();
    }
    if (gathering.wantsOneLess(asked, received) && pollers.retire(poller)) {
      return false;
    }
    pauses.sleep(gathering.pause(poller, asked, received, clock.now() - sentAt), timing);
    return true;
  }

  private boolean failed(Poller poller, int asked, int failures, String kind, String why) {
    Backoff.Pause pause = backoff.failed(failures);
    events.accept(new ReceiveFailed(kind, why, pause.inARow(), pause.length()));
    if (!pollers.answered(poller)) {
      return false;
    }
    permits.release(asked);
    return true;
  }

  private long hungAfter() {
    return settings.longPoll().toNanos() + HUNG_AFTER;
  }

  /** Replaces receives that hang at {@code now}, and the last poller if it ended. Part of every heartbeat tick. */
  public void replaceHung(long now) {
    for (Poller poller : pollers.replaceHung(now)) {
      events.accept(new PollReplaced(poller.thread));
    }
    if (pollers.areMissing()) {
      addPoll();
    }
  }

  /** Starts no receive any more; those under way end by themselves. Does not wait. */
  public void stop() {
    pollers.stop();
    pauses.close();
    permits.close();
  }

  /** Waits up to {@code nanos} for the pollers to end, and names those that have not. */
  public List<String> awaitEnded(long nanos) throws InterruptedException {
    return pollers.awaitEnded(nanos);
  }

  /** Sends back at once what waits for the last receive to end. */
  public void giveBackNow() {
    pollers.giveBackNow();
  }

  /** Runs {@code action} once when no poller is left. */
  public void whenEnded(Runnable action) {
    pollers.whenEnded(action);
  }

  /** Messages that hold a permit or wait for one that does: received, and not yet settled or queued for another try of their delete. */
  public int inFlight() {
    return Math.max(0, permits.used() - pollers.held()) + permits.parked();
  }

  /** Messages that receives under way have asked for. */
  public int asked() {
    return pollers.held();
  }

  /** When a receive last completed, empty ones included. */
  public Optional<Instant> lastReceive() {
    return watch.last();
  }

  /** Whether receives complete when they are due. */
  public ReceiveWatch watch() {
    return watch;
  }

  /** The threads of receives that passed their deadline and have not ended. */
  public List<String> hung() {
    return pollers.hung();
  }
}
