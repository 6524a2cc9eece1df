package io.queueworker.observe;

import static io.queueworker.observe.EveryEvent.CONTEXT;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.queueworker.DuplicateCause;
import io.queueworker.DuplicateDiagnosis;
import io.queueworker.Failure;
import io.queueworker.LossReason;
import io.queueworker.PauseReason;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

class LogListenerTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  private final Logger logger = (Logger) LoggerFactory.getLogger("io.queueworker");
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final LogListener listener = new LogListener(InPlace.lines());

  @BeforeEach
  void listen() {
    lines.start();
    logger.setLevel(Level.DEBUG);
    logger.setAdditive(false);
    logger.addAppender(lines);
  }

  @AfterEach
  void stopListening() {
    logger.detachAppender(lines);
    logger.setAdditive(true);
    logger.setLevel(null);
  }

  @Test
  void every_event_becomes_one_line_that_names_queue_worker_and_message() {
    for (WorkerEvent event : EveryEvent.all()) {
      lines.list.clear();
      new LogListener(InPlace.lines()).onEvent(CONTEXT, event);

      String start =
          event instanceof WorkerEvent.MessageEvent ? "queue=orders worker=w1 message=m1 " : "queue=orders worker=w1 ";
      assertThat(lines.list).as("%s", event).isNotEmpty();
      assertThat(lines.list).hasSize(event instanceof WorkerEvent.Started ? 2 : 1);
      assertThat(text(0)).startsWith(start).doesNotContain("null", "\n", "{}").hasSizeGreaterThan(start.length());
    }
  }

  @Test
  void only_bugs_of_ours_are_errors() {
    Set<Class<?>> errors = new HashSet<>();
    for (WorkerEvent event : EveryEvent.all()) {
      lines.list.clear();
      new LogListener(InPlace.lines()).onEvent(CONTEXT, event);
      if (lines.list.getFirst().getLevel() == Level.ERROR) {
        errors.add(event.getClass());
      }
    }
    assertThat(errors).containsExactly(WorkerEvent.InternalError.class);
  }

  @Test
  void the_life_of_a_worker_is_told_at_info_and_each_warning_of_its_start_as_a_line() {
    tell(new WorkerEvent.Started(Duration.ofSeconds(30), List.of("no redrive policy: set one", "second")));
    tell(new WorkerEvent.Draining(1, Duration.ofSeconds(25)));
    tell(new WorkerEvent.Closed(Duration.ofMillis(1500), List.of()));

    assertLine(0, Level.INFO, "queue=orders worker=w1 started with a visibility timeout of 30 s.");
    assertLine(1, Level.WARN, "queue=orders worker=w1 no redrive policy: set one");
    assertLine(2, Level.WARN, "queue=orders worker=w1 second");
    assertLine(
        3, Level.INFO,
        "queue=orders worker=w1 drains: it receives no more and has up to 25 s for 1 message in flight.");
    assertLine(4, Level.INFO, "queue=orders worker=w1 closed after 1.5 s; nothing is left in flight.");
  }

  @Test
  void a_close_that_left_something_warns_and_names_it() {
    tell(new WorkerEvent.Closed(SECOND, List.of("m1", "worker-orders-handler-m2")));

    assertThat(lines.list.getFirst().getLevel()).isEqualTo(Level.WARN);
    assertThat(text(0)).contains("could not finish m1, worker-orders-handler-m2").contains("drainTimeout");
  }

  @Test
  void a_message_that_goes_well_is_told_at_debug_alone() {
    tell(new WorkerEvent.Received("m1", 1, SECOND));
    tell(new WorkerEvent.HandlerStarted("m1", 1));
    tell(new WorkerEvent.HandlerReturned("m1", 1, SECOND));
    tell(new WorkerEvent.Committed("m1", 1, SECOND));
    tell(new WorkerEvent.Deleted("m1", 1, SECOND));

    assertThat(lines.list).hasSize(5).allMatch(line -> line.getLevel() == Level.DEBUG);
  }

  @Test
  void S25_failed_receives_are_told_at_powers_of_two_and_so_is_the_recovery() {
    logger.setLevel(Level.INFO);
    for (int i = 1; i <= 100; i++) {
      tell(new WorkerEvent.ReceiveFailed("unreachable", "connection refused", i, SECOND));
    }
    assertThat(lines.list).hasSize(7).allMatch(line -> line.getLevel() == Level.WARN); // 1 2 4 8 16 32 64
    assertThat(text(6)).contains("64 in a row (unreachable: connection refused); the next one comes in 1 s");

    lines.list.clear();
    tell(new WorkerEvent.ReceiveCompleted(10, 0, SECOND));
    tell(new WorkerEvent.ReceiveCompleted(10, 0, SECOND));
    assertThat(lines.list).hasSize(1);
    assertLine(0, Level.INFO, "queue=orders worker=w1 receives work again; 100 failed before.");

    lines.list.clear();
    tell(new WorkerEvent.ReceiveFailed("unreachable", "connection refused", 1, SECOND));
    assertThat(lines.list).as("the first after a recovery").hasSize(1);
  }

  @Test
  void a_receive_that_fails_in_a_new_way_is_told_at_once() {
    logger.setLevel(Level.INFO);
    for (int i = 1; i <= 3; i++) {
      tell(new WorkerEvent.ReceiveFailed("unreachable", "reset", i, SECOND));
    }
    tell(new WorkerEvent.ReceiveFailed("missing queue", "it was deleted", 4, SECOND));

    assertThat(lines.list).hasSize(3);
    assertThat(text(2)).contains("missing queue: it was deleted");
  }

  @Test
  void failed_extensions_and_deletes_are_collapsed_too() {
    logger.setLevel(Level.INFO);
    for (int i = 1; i <= 5; i++) {
      tell(new WorkerEvent.ExtendFailed("m" + i, 1, "throttled", SECOND));
      tell(new WorkerEvent.DeleteFailed("m" + i, 1, "throttled", Optional.of(SECOND)));
    }
    assertThat(lines.list).hasSize(6);

    lines.list.clear();
    tell(new WorkerEvent.Extended("m1", 1, SECOND));
    tell(new WorkerEvent.Deleted("m1", 1, SECOND));
    assertThat(lines.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .containsExactly(
            "queue=orders worker=w1 extensions work again; 5 failed before.",
            "queue=orders worker=w1 deletes work again; 5 failed before.");
  }

  @Test
  void a_delete_that_failed_for_good_is_always_told() {
    for (int i = 1; i <= 3; i++) {
      tell(new WorkerEvent.DeleteFailed("m" + i, 1, "refused", Optional.empty()));
    }
    assertThat(lines.list).hasSize(3).allMatch(line -> line.getLevel() == Level.WARN);
    assertThat(text(2)).contains("for good");
  }

  @Test
  void a_missing_permission_is_named_with_the_statement_to_add() {
    tell(new WorkerEvent.PermissionDenied("sqs:ChangeMessageVisibility"));

    assertLine(
        0,
        Level.WARN,
        "queue=orders worker=w1 may not call sqs:ChangeMessageVisibility. Add this statement to the policy of the worker's"
            + " role: {\"Effect\":\"Allow\",\"Action\":\"sqs:ChangeMessageVisibility\","
            + "\"Resource\":\"arn:aws:sqs:<region>:<account>:orders\"}");
  }

  @Test
  void a_permission_denied_again_and_again_is_collapsed_until_it_is_restored() {
    logger.setLevel(Level.WARN);
    for (int i = 1; i <= 7; i++) {
      tell(new WorkerEvent.PermissionDenied("sqs:DeleteMessage"));
    }
    assertThat(lines.list).hasSize(3);
    tell(new WorkerEvent.PermissionRestored("sqs:DeleteMessage"));
    tell(new WorkerEvent.PermissionDenied("sqs:DeleteMessage"));
    assertThat(lines.list).hasSize(4);
  }

  @ParameterizedTest
  @EnumSource(LossReason.class)
  void a_lost_lease_warns_with_its_reason_and_what_to_change(LossReason reason) {
    tell(new WorkerEvent.LeaseLost("m1", 1, reason, "no answer for 20 s"));

    assertThat(lines.list.getFirst().getLevel()).isEqualTo(Level.WARN);
    assertThat(text(0)).contains(reason.words()).contains("no answer for 20 s").endsWith(LossAdvice.of(reason));
  }

  @Test
  void the_advice_for_a_lost_lease_names_the_setting() {
    assertThat(LossAdvice.of(LossReason.OVERTIME)).contains("maxProcessingTime");
    assertThat(LossAdvice.of(LossReason.STALLED)).contains("progress()", "stallTimeout");
    assertThat(LossAdvice.of(LossReason.MAX_HOLD)).contains("maxHold");
    assertThat(LossAdvice.of(LossReason.CLOSED)).contains("drainTimeout");
    assertThat(LossAdvice.of(LossReason.GIVEN_UP)).contains("keepAliveWhile");
    assertThat(LossAdvice.of(LossReason.EXPIRED)).contains("sqs:ChangeMessageVisibility");
  }

  @Test
  void a_stuck_handler_warns_with_the_name_of_its_thread() {
    tell(new WorkerEvent.HandlerStuck("m1", 1, "worker-orders-handler-m1", Duration.ofMinutes(61)));

    assertThat(lines.list.getFirst().getLevel()).isEqualTo(Level.WARN);
    assertThat(text(0)).contains("thread=worker-orders-handler-m1").contains("after 1 h 1 min").contains("thread dump");
  }

  @Test
  void a_suppressed_redelivery_says_who_did_the_work_why_it_came_again_and_what_to_change() {
    DuplicateDiagnosis why = EveryEvent.diagnosis(DuplicateCause.DELETE_FAILED);
    tell(new WorkerEvent.Suppressed("m1", 2, Optional.of(EveryEvent.completion()), why));

    assertLine(
        0,
        Level.INFO,
        "queue=orders worker=w1 message=m1 already done, so it is only deleted, receive count 2. The work was done by worker"
            + " w7 for message m0, receive count 1, from 2030-01-02T03:04:05Z on in 45 s; redeliveries suppressed so far: 3."
            + " Why it came again: Worker w7 was at it, and the message was done and its delete failed. Look for failed deletes"
            + " in the log of that worker, at sqs:DeleteMessage and at the network.");
  }

  @Test
  void a_failing_handlers_exception_comes_with_its_trace() {
    IllegalStateException cause = new IllegalStateException("no stock");

    tell(new WorkerEvent.Failed("m1", 2, Failure.Stage.HANDLE, cause, "tried again in 3 s"));

    assertLine(
        0,
        Level.WARN,
        "queue=orders worker=w1 message=m1 the handler failed, receive count 2 (java.lang.IllegalStateException: no stock)."
            + " Decision: tried again in 3 s.");
    assertThat(lines.list.getFirst().getThrowableProxy().getMessage()).isEqualTo("no stock");
  }

  @Test
  void a_decoders_exception_is_told_without_its_message_which_may_quote_the_body() {
    NumberFormatException quotesBody = new NumberFormatException("For input string: \"secret\"");

    tell(new WorkerEvent.Failed("m1", 1, Failure.Stage.DECODE, new RuntimeException("secret", quotesBody),
        "tried again"));

    assertThat(text(0))
        .contains("java.lang.RuntimeException caused by java.lang.NumberFormatException at ")
        .contains("LogListenerTest.java:")
        .doesNotContain("secret");
    assertThat(lines.list.getFirst().getThrowableProxy()).isNull();
  }

  @Test
  void so_is_a_key_functions_which_sees_the_body_too() {
    tell(new WorkerEvent.Failed("m1", 1, Failure.Stage.KEY, new IllegalStateException("secret"), "tried again"));

    assertThat(text(0)).contains("the key function failed", "java.lang.IllegalStateException at ")
        .doesNotContain("secret");
    assertThat(lines.list.getFirst().getThrowableProxy()).isNull();
  }

  @Test
  void what_user_code_threw_is_a_warning_with_its_trace_and_no_bug_of_ours() {
    tell(new WorkerEvent.UserCodeFailed("an onLost action", new IllegalStateException("x")));

    assertThat(lines.list.getFirst().getLevel()).isEqualTo(Level.WARN);
    assertThat(text(0)).contains("an onLost action", "java.lang.IllegalStateException: x").doesNotContain("bug");
    assertThat(lines.list.getFirst().getThrowableProxy().getMessage()).isEqualTo("x");
  }

  @Test
  void the_trace_of_an_unknown_commit_is_for_debug() {
    WorkerEvent event = new WorkerEvent.CommitUnknown("m1", 1, new IllegalStateException("reset"));
    tell(event);
    logger.setLevel(Level.INFO);
    tell(event);

    assertThat(lines.list.getFirst().getThrowableProxy()).isNotNull();
    assertThat(lines.list.getLast().getThrowableProxy()).isNull();
    assertThat(text(1)).contains("java.lang.IllegalStateException: reset");
  }

  @Test
  void a_bug_of_ours_is_an_error_with_its_trace() {
    tell(new WorkerEvent.InternalError("heartbeat tick", new NullPointerException("x")));

    assertThat(lines.list.getFirst().getLevel()).isEqualTo(Level.ERROR);
    assertThat(text(0)).contains("heartbeat tick");
    assertThat(lines.list.getFirst().getThrowableProxy().getMessage()).isEqualTo("x");
  }

  @Test
  void a_pause_by_hand_is_no_warning_and_one_by_the_gate_is() {
    tell(new WorkerEvent.Paused(PauseReason.BY_HAND, "pause() was called"));
    tell(new WorkerEvent.Paused(PauseReason.GATE_UNAVAILABLE, "connection refused"));

    assertThat(lines.list).extracting(ILoggingEvent::getLevel).containsExactly(Level.INFO, Level.WARN);
    assertThat(text(1)).contains("connection refused").contains("database");
  }

  @Test
  void nobody_can_forge_a_line() {
    tell(new WorkerEvent.GateWarning("m1", 1, "first\r\nqueue=x worker=y forged\u2028" + "x".repeat(1000)));

    assertThat(text(0)).doesNotContain("\n", "\r", "\u2028").hasSizeLessThan(600).endsWith("x…");
  }

  private void tell(WorkerEvent event) {
    listener.onEvent(CONTEXT, event);
  }

  private String text(int index) {
    return lines.list.get(index).getFormattedMessage();
  }

  private void assertLine(int index, Level level, String text) {
    assertThat(text(index)).isEqualTo(text);
    assertThat(lines.list.get(index).getLevel()).isEqualTo(level);
  }
}
