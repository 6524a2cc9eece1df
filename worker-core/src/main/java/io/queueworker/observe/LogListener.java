package io.queueworker.observe;

import io.queueworker.Failure.Stage;
import io.queueworker.LossReason;
import io.queueworker.PauseReason;
import io.queueworker.observe.WorkerEvent.MessageEvent;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Writes every event of one worker to the log {@value #LOGGER}, as {@code queue=orders worker=w1 message=… } and a sentence.
 *
 * <p>INFO is the worker's life and suppressed redeliveries, WARN wants a person and says what to do, ERROR is a bug of this
 * library, DEBUG is the rest of what happens to a message. Failures of the service are told when they are the first, second,
 * fourth, eighth of their kind and so on, the others at DEBUG, and one line tells that it works again. A failing handler's exception
 * is logged with its trace; of a decoder's or a key function's, class and place alone, since its message may quote the body.
 *
 * <p>To be registered as inline. Thread-safe; holds no lock while it logs.
 */
public final class LogListener implements WorkerListener {

  /** The name of the logger. */
  public static final String LOGGER = "io.queueworker";

  private static final Logger log = LoggerFactory.getLogger(LOGGER);

  private final Streak receives = new Streak();
  private final Streak extensions = new Streak();
  private final Streak deletes = new Streak();
  private final Streak permissions = new Streak();

  /** A listener for one worker: failures are counted per instance. */
  public LogListener() {}

  @Override
  public void onEvent(EventContext context, WorkerEvent event) {
    tellRecovery(context, event);
    Level level = level(event);
    if (log.isEnabledForLevel(level)) {
      write(context, event, level, WorkerSentence.of(event, context.queue()), cause(event));
    }
    if (event instanceof WorkerEvent.Started started) {
      for (String warning : started.warnings()) {
        write(context, event, Level.WARN, OneLine.of(warning), null);
      }
    }
  }

  private void tellRecovery(EventContext context, WorkerEvent event) {
    switch (event) {
      case WorkerEvent.ReceiveCompleted e -> tellRecovery(context, "receives work again", receives.worked());
      case WorkerEvent.Extended e -> tellRecovery(context, "extensions work again", extensions.worked());
      case WorkerEvent.Deleted e -> tellRecovery(context, "deletes work again", deletes.worked());
      case WorkerEvent.PermissionRestored e -> permissions.worked(e.action());
      default -> {
        // Every other event proves nothing about what failed.
      }
    }
  }

  private static void tellRecovery(EventContext context, String what, long failed) {
    if (failed > 0) {
      log.info("queue={} worker={} {}; {} failed before.", context.queue(), context.worker(), what, failed);
    }
  }

  /** How loud the event is; counts it where failures are counted. */
  private Level level(WorkerEvent event) {
    return switch (event) {
      case WorkerEvent.InternalError e -> Level.ERROR;
      case WorkerEvent.Closed e -> e.leftOver().isEmpty() ? Level.INFO : Level.WARN;
      case WorkerEvent.Paused e -> e.reason() == PauseReason.BY_HAND ? Level.INFO : Level.WARN;
      case WorkerEvent.ReceiveFailed e -> loudIf(receives.failed(e.kind()));
      case WorkerEvent.PermissionDenied e -> loudIf(permissions.failed(e.action()));
      case WorkerEvent.ExtendFailed e -> loudIf(extensions.failed("extend"));
      case WorkerEvent.DeleteFailed e -> e.retryIn().isEmpty() ? Level.WARN : loudIf(deletes.failed("delete"));
      case WorkerEvent.NotStarted e -> e.reason() == LossReason.CLOSED ? Level.DEBUG : Level.WARN;
      case WorkerEvent.UserCodeFailed e -> Level.WARN;
      case WorkerEvent.PollReplaced e -> Level.WARN;
      case WorkerEvent.ClockGap e -> Level.WARN;
      case WorkerEvent.Failed e -> Level.WARN;
      case WorkerEvent.CommitUnknown e -> Level.WARN;
      case WorkerEvent.GateWarning e -> Level.WARN;
      case WorkerEvent.LeaseLost e -> Level.WARN;
      case WorkerEvent.HandlerStuck e -> Level.WARN;
      case WorkerEvent.ReleaseFailed e -> Level.WARN;
      case WorkerEvent.Suppressed e -> Level.INFO;
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

  private static Level loudIf(long told) {
    return told > 0 ? Level.WARN : Level.DEBUG;
  }

  private static @Nullable Throwable cause(WorkerEvent event) {
    return switch (event) {
      case WorkerEvent.InternalError e -> e.cause();
      case WorkerEvent.UserCodeFailed e -> e.cause();
      case WorkerEvent.Failed e -> e.stage() == Stage.DECODE || e.stage() == Stage.KEY ? null : e.cause();
      case WorkerEvent.CommitUnknown e -> log.isDebugEnabled() ? e.cause() : null;
      default -> null;
    };
  }

  private static void write(
      EventContext context, WorkerEvent event, Level level, String sentence, @Nullable Throwable cause) {
    String message = event instanceof MessageEvent about ? "message=" + OneLine.of(about.messageId()) + " " : "";
    String line = "queue=" + context.queue() + " worker=" + context.worker() + " " + message + sentence;
    log.atLevel(level).setCause(cause).log(line);
  }
}
