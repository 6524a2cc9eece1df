package io.queueworker.observe;

import io.queueworker.Failure.Stage;
import io.queueworker.LossReason;
import io.queueworker.PauseReason;
import io.queueworker.observe.WorkerEvent.MessageEvent;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * Writes every event of one worker to the log {@value #LOGGER}, as {@code queue=orders worker=w1 message=… } and a sentence.
 *
 * <p>INFO is the worker's life, suppressed redeliveries and rejects, WARN wants a person and says what to do, ERROR is a bug of this
 * library, DEBUG is the rest of what happens to a message. Failures of the service are told when they are the first, second,
 * fourth, eighth of their kind and so on, the others at DEBUG, and one line tells that it works again. A failing handler's exception
 * is logged with its trace; of a decoder's or a key function's, class and place alone, since its message may quote the body.
 *
 * <p>To be registered as inline: it decides and words in place, and leaves the writing to {@link LogLines}. Thread-safe.
 */
public final class LogListener implements WorkerListener {

  /** The name of the logger. */
  public static final String LOGGER = "io.queueworker";

  private final LogLines lines;
  private final Streak receives = new Streak();
  private final Streak extensions = new Streak();
  private final Streak deletes = new Streak();
  private final Streak rejects = new Streak();
  private final Streak permissions = new Streak();

  /** A listener for one worker: failures are counted per instance. */
  public LogListener(LogLines lines) {
    this.lines = lines;
  }

  @Override
  public void onEvent(EventContext context, WorkerEvent event) {
    tellRecovery(event);
    Level level = level(event);
    if (LogLines.isEnabled(level)) {
      write(event, level, WorkerSentence.of(event, context.queue()), cause(event));
    }
    if (event instanceof WorkerEvent.Started started) {
      for (String warning : started.warnings()) {
        write(event, Level.WARN, OneLine.of(warning), null);
      }
    }
  }

  private void tellRecovery(WorkerEvent event) {
    switch (event) {
      case WorkerEvent.ReceiveCompleted e -> tellRecovery("receives work again", receives.worked());
      case WorkerEvent.Extended e -> tellRecovery("extensions work again", extensions.worked());
      case WorkerEvent.Deleted e -> tellRecovery("deletes work again", deletes.worked());
      case WorkerEvent.Rejected e -> tellRecovery("rejects work again", rejects.worked());
      case WorkerEvent.PermissionRestored e -> permissions.worked(e.action());
      default -> {
        // Every other event proves nothing about what failed.
      }
    }
  }

  private void tellRecovery(String what, long failed) {
    if (failed > 0 && LogLines.isEnabled(Level.INFO)) {
      lines.write(Level.INFO, what + "; " + failed + " failed before.", null);
    }
  }

  /** How loud the event is; counts it where failures are counted. */
  private Level level(WorkerEvent event) {
    return switch (event) {
      case WorkerEvent.InternalError e -> Level.ERROR;
      case WorkerEvent.Closed e -> e.leftOver().isEmpty() ? Level.INFO : Level.WARN;
      case WorkerEvent.Paused e -> isWished(e.reason()) ? Level.INFO : Level.WARN;
      case WorkerEvent.ReceiveFailed e -> loudIf(receives.failed(e.kind()));
      case WorkerEvent.PermissionDenied e -> loudIf(permissions.failed(e.action()));
      case WorkerEvent.ExtendFailed e -> loudIf(extensions.failed("extend"));
      case WorkerEvent.DeleteFailed e -> e.retryIn().isEmpty() ? Level.WARN : loudIf(deletes.failed("delete"));
      case WorkerEvent.RejectFailed e -> e.retryIn().isEmpty() ? Level.WARN : loudIf(rejects.failed("reject"));
      case WorkerEvent.NotStarted e -> e.reason() == LossReason.CLOSED ? Level.DEBUG : Level.WARN;
      case WorkerEvent.UserCodeFailed e -> Level.WARN;
      case WorkerEvent.PollReplaced e -> Level.WARN;
      case WorkerEvent.ClockGap e -> Level.WARN;
      case WorkerEvent.Failed e -> Level.WARN;
      case WorkerEvent.CommitUnknown e -> Level.WARN;
      case WorkerEvent.GateWarning e -> Level.WARN;
      case WorkerEvent.EffectUncertain e -> Level.WARN;
      case WorkerEvent.LeaseLost e -> Level.WARN;
      case WorkerEvent.HandlerStuck e -> Level.WARN;
      case WorkerEvent.ReleaseFailed e -> Level.WARN;
      case WorkerEvent.Suppressed e -> Level.INFO;
      case WorkerEvent.Rejected e -> Level.INFO;
      case WorkerEvent.CutShort e -> Level.INFO;
      case WorkerEvent.HandlerUnstuck e -> Level.INFO;
      case WorkerEvent.ReceiveCompleted e -> Level.DEBUG;
      case MessageEvent e -> Level.DEBUG;
      case WorkerEvent.Started e -> Level.INFO;
      case WorkerEvent.Draining e -> Level.INFO;
      case WorkerEvent.Resumed e -> Level.INFO;
      case WorkerEvent.VisibilityChanged e -> Level.INFO;
      case WorkerEvent.PermissionRestored e -> Level.INFO;
    };
  }

  private static boolean isWished(PauseReason reason) {
    return reason == PauseReason.BY_HAND || reason == PauseReason.RATE_LIMITED;
  }

  private static Level loudIf(long told) {
    return told > 0 ? Level.WARN : Level.DEBUG;
  }

  private static @Nullable Throwable cause(WorkerEvent event) {
    return switch (event) {
      case WorkerEvent.InternalError e -> e.cause();
      case WorkerEvent.UserCodeFailed e -> e.cause();
      case WorkerEvent.Failed e -> e.stage() == Stage.DECODE || e.stage() == Stage.KEY ? null : e.cause();
      case WorkerEvent.CommitUnknown e -> LogLines.isEnabled(Level.DEBUG) ? e.cause() : null;
      default -> null;
    };
  }

  private void write(WorkerEvent event, Level level, String sentence, @Nullable Throwable cause) {
    String message = event instanceof MessageEvent about ? "message=" + OneLine.of(about.messageId()) + " " : "";
    lines.write(level, message + sentence, cause);
  }
}
