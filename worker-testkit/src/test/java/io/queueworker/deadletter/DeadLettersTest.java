package io.queueworker.deadletter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.queueworker.deadletter.RedriveReport.End;
import io.queueworker.deadletter.RedriveReport.Left;
import io.queueworker.deadletter.RedriveReport.Why;
import io.queueworker.queue.EntryResult;
import io.queueworker.queue.MessageAttribute;
import io.queueworker.queue.QueueException;
import io.queueworker.queue.ReceiveRequest;
import io.queueworker.queue.ReceivedMessage;
import io.queueworker.queue.RejectAttributes;
import io.queueworker.testkit.simulation.CallKind;
import io.queueworker.testkit.simulation.Fault;
import io.queueworker.testkit.simulation.SimulatedMessage;
import io.queueworker.testkit.simulation.SimulatedQueue;
import io.queueworker.testkit.simulation.SimulatedTiming;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What a listing tells, which messages a redrive takes, and how it ends. */
class DeadLettersTest {

  private static void on(Desk.Kind kind, Consumer<Desk> spec) {
    SimulatedTiming.run(1, timing -> spec.accept(new Desk(timing, kind)));
  }

  private static void on(Consumer<Desk> spec) {
    on(Desk.Kind.STANDARD, spec);
  }

  @Test
  void a_listing_tells_ids_reasons_and_counts_and_no_body_unless_asked() {
    on(
        desk -> {
          desk.reject("a secret", 7, Map.of("colour", MessageAttribute.text("red")));
          DeadLetterList list = desk.letters().list(ListRequest.defaults());
          DeadLetter letter = list.letters().getFirst();
          assertThat(letter.originalId()).isEqualTo("first-7");
          assertThat(letter.id()).isEqualTo(desk.dead.visible().getFirst().id());
          assertThat(letter.reason()).contains("the address is unknown");
          assertThat(letter.countWhenRejected()).contains("3");
          assertThat(letter.receiveCount()).isEqualTo(1);
          assertThat(letter.attributes()).containsOnly(Map.entry("colour", "red"));
          assertThat(letter.sentAt()).isPresent();
          assertThat(letter.body()).isEmpty();
          assertThat(letter.toString()).contains("first-7", "the address is unknown").doesNotContain("secret", "red");
          assertThat(list.notSeen()).hasSize(1);
          assertThat(desk.letters().list(ListRequest.defaults().andBodies()).letters().getFirst().body())
              .contains("a secret");
        });
  }

  @Test
  void a_listing_stops_at_its_count_and_says_that_there_may_be_more() {
    on(
        desk -> {
          desk.reject(30);
          DeadLetterList list = desk.letters().list(ListRequest.defaults().upTo(12));
          assertThat(list.letters()).hasSize(12);
          assertThat(list.end()).isEqualTo(DeadLetterList.End.COUNT_REACHED);
          assertThat(list.notSeen()).last().asString().contains("may be more");
          assertThat(desk.dead.visible()).hasSize(30);
        });
  }

  @Test
  void a_listing_ends_before_what_it_hid_comes_back_by_itself() {
    on(
        desk -> {
          desk.reject(30);
          desk.dead.onCall(CallKind.RECEIVE, call -> Fault.delayReply(Duration.ofSeconds(3)));
          DeadLetterList list =
              desk.letters().list(
                  ListRequest.defaults().upTo(30).within(Duration.ofMinutes(5)).hiddenFor(Duration.ofSeconds(10)));
          assertThat(list.end()).isEqualTo(DeadLetterList.End.TIME_OVER);
          assertThat(list.letters()).hasSizeBetween(10, 29);
          assertThat(desk.dead.trespasses()).isEmpty();
          assertThat(desk.dead.visible()).hasSize(30);
        });
  }

  @Test
  void a_listing_of_a_fifo_queue_says_that_it_sees_the_first_of_each_group() {
    on(
        Desk.Kind.FIFO,
        desk -> {
          for (int i = 0; i < 15; i++) {
            desk.reject(i, "one");
          }
          DeadLetterList list = desk.letters().list(ListRequest.defaults());
          assertThat(list.letters()).hasSize(10);
          assertThat(list.notSeen()).anyMatch(sentence -> sentence.contains("group"));
        });
  }

  @Test
  void a_receive_without_an_answer_does_not_end_a_listing_early() {
    on(
        desk -> {
          desk.reject(5);
          desk.dead.nextCall(CallKind.RECEIVE, Fault.loseReply());
          DeadLetterList list = desk.letters().list(ListRequest.defaults());
          assertThat(list.letters()).isEmpty();
          assertThat(list.end()).isEqualTo(DeadLetterList.End.TIME_OVER);
          assertThat(list.notSeen()).anyMatch(sentence -> sentence.contains("no answer"));
        });
  }

  @Test
  void a_message_goes_back_as_it_was_sent_with_its_first_id_and_without_the_rejects_attributes() {
    on(
        desk -> {
          Map<String, MessageAttribute> own = new HashMap<>();
          own.put("amount", new MessageAttribute("Number.cent", "1250"));
          own.put("print", new MessageAttribute("Binary", "AQID"));
          desk.reject("an order", 1, own);
          assertThat(desk.letters().redrive(RedriveRequest.all()).isComplete()).isTrue();
          ReceivedMessage back = received(desk.source);
          assertThat(back.body()).isEqualTo("an order");
          assertThat(back.attributes()).containsOnly(
              Map.entry("amount", "1250"), Map.entry("print", "AQID"),
              Map.entry(RejectAttributes.ORIGINAL_MESSAGE_ID, "first-1"));
          assertThat(back.attributeTypes())
              .containsOnly(Map.entry("amount", "Number.cent"), Map.entry("print", "Binary"));
        });
  }

  @Test
  void a_group_is_kept_on_the_way_back() {
    on(
        Desk.Kind.FIFO,
        desk -> {
          desk.reject(1, "customer-7");
          desk.letters().redrive(RedriveRequest.all());
          assertThat(received(desk.source).group()).contains("customer-7");
        });
  }

  private static ReceivedMessage received(SimulatedQueue queue) {
    return queue.connect().receive(new ReceiveRequest(10, Duration.ZERO, null)).getFirst();
  }

  @Test
  void a_message_without_room_for_its_first_id_stays_unless_keys_are_business_keys() {
    on(
        desk -> {
          Map<String, String> ten = new HashMap<>();
          Desk.numbered(10, i -> "own-" + i).forEach(name -> ten.put(name, "x"));
          desk.dead.send("an order", ten);
          RedriveReport stays = desk.letters().redrive(RedriveRequest.all());
          assertThat(stays.left()).extracting(Left::why).containsExactly(Why.REFUSED);
          assertThat(desk.dead.visible()).hasSize(1);
          RedriveReport goes = desk.letters().redrive(RedriveRequest.all().keys(KeySource.BUSINESS_KEY));
          assertThat(goes.isComplete()).isTrue();
          assertThat(desk.source.visible().getFirst().attributes()).isEqualTo(ten);
        });
  }

  @Test
  void a_filter_takes_some_and_gives_the_others_back() {
    on(
        desk -> {
          desk.reject(12);
          RedriveReport report =
              desk.letters().redrive(
                  RedriveRequest.matching(letter -> Integer.parseInt(letter.body().orElseThrow()) % 3 == 0));
          assertThat(report).isEqualTo(new RedriveReport(End.FINISHED, "", 4, 8, 0, 0, 0, List.of()));
          assertThat(desk.source.visible()).extracting(SimulatedMessage::body)
              .containsExactlyInAnyOrder("0", "3", "6", "9");
          assertThat(desk.dead.visible()).hasSize(8);
        });
  }

  @Test
  void what_a_filter_throws_reaches_the_caller_and_everything_is_given_back() {
    on(
        desk -> {
          desk.reject(12);
          assertThatThrownBy(
              () -> desk.letters().redrive(
                  RedriveRequest.matching(
                      letter -> {
                        throw new IllegalStateException("the filter");
                      })))
              .isInstanceOf(IllegalStateException.class).hasMessage("the filter");
          assertThat(desk.dead.visible()).hasSize(12);
        });
  }

  @Test
  void one_message_is_found_by_either_id() {
    on(
        desk -> {
          desk.reject(25);
          String id = desk.dead.visible().get(20).id();
          assertThat(desk.letters().redrive(RedriveRequest.only(id)).redriven()).isEqualTo(1);
          assertThat(desk.letters().redrive(RedriveRequest.only("first-3")).redriven()).isEqualTo(1);
          assertThat(desk.backIds()).containsExactlyInAnyOrder("first-20", "first-3");
          assertThat(desk.dead.visible()).hasSize(23);
          RedriveReport nobody = desk.letters().redrive(RedriveRequest.only("nobody"));
          assertThat(nobody.end()).isEqualTo(End.NOT_FOUND);
          assertThat(nobody.isComplete()).isFalse();
        });
  }

  @Test
  void a_dry_run_counts_and_changes_nothing() {
    on(
        desk -> {
          desk.reject(12);
          assertThat(desk.letters().redrive(RedriveRequest.all().dryRun()).redriven()).isEqualTo(12);
          assertThat(desk.dead.visible()).hasSize(12);
          assertThat(desk.source.calls(CallKind.SEND)).isEmpty();
          assertThat(desk.dead.calls(CallKind.DELETE)).isEmpty();
        });
  }

  @Test
  void a_count_ends_it() {
    on(
        desk -> {
          desk.reject(25);
          RedriveReport report = desk.letters().redrive(RedriveRequest.all().atMost(13));
          assertThat(report.end()).isEqualTo(End.COUNT_REACHED);
          assertThat(desk.source.visible()).hasSize(13);
          assertThat(desk.dead.visible()).hasSize(12);
        });
  }

  @Test
  void a_count_is_kept_when_deletes_fail() {
    on(
        desk -> {
          desk.reject(25);
          desk.dead.onCall(
              CallKind.DELETE, call -> call.number() % 2 == 0
                  ? Fault.everyEntry(new EntryResult.Lost("the receipt is not good any more"))
                  : Fault.none());
          RedriveReport report = desk.letters().redrive(RedriveRequest.all().atMost(13));
          assertThat(report.end()).isEqualTo(End.COUNT_REACHED);
          assertThat(report.left()).isNotEmpty();
          assertThat(desk.source.visible()).hasSize(13);
        });
  }

  @Test
  void extensions_that_fail_make_messages_late_and_the_redrive_ends() {
    on(
        desk -> {
          desk.reject(60);
          desk.dead.onCall(CallKind.EXTEND, call -> Fault.unavailable());
          Duration start = desk.timing.elapsed();
          RedriveReport report =
              desk.letters().redrive(
                  RedriveRequest.all().perSecond(0.05).hiddenFor(Duration.ofSeconds(10))
                      .cancelWhen(() -> desk.timing.elapsed().minus(start).compareTo(Duration.ofDays(1)) > 0));
          assertThat(report.end()).isEqualTo(End.NOTHING_NEW);
          assertThat(report.redriven()).isEqualTo(1);
          assertThat(report.left()).isNotEmpty().extracting(Left::why).containsOnly(Why.LATE);
          assertThat(desk.dead.calls(CallKind.RECEIVE)).as("one that brought something, and twenty fruitless ones")
              .hasSize(21);
          assertThat(desk.dead.trespasses()).isEmpty();
        });
  }

  @Test
  void a_late_message_that_is_still_hidden_is_reported() {
    on(
        desk -> {
          desk.reject(2);
          desk.dead.onCall(CallKind.EXTEND, call -> Fault.unavailable());
          RedriveReport report =
              desk.letters().redrive(
                  RedriveRequest.all().hiddenFor(Duration.ofSeconds(60)).perSecond(1 / 53.0));
          assertThat(report.redriven()).isEqualTo(1);
          assertThat(report.left()).extracting(Left::why).containsExactly(Why.LATE);
          assertThat(report.isComplete()).isFalse();
        });
  }

  @Test
  void a_denied_extension_ends_it_and_what_cannot_be_given_back_is_counted() {
    on(
        desk -> {
          desk.reject(5);
          for (CallKind kind : List.of(CallKind.EXTEND, CallKind.RELEASE)) {
            desk.dead.onCall(kind, call -> Fault.accessDenied(kind));
          }
          RedriveReport report =
              desk.letters().redrive(RedriveRequest.all().perSecond(0.02).hiddenFor(Duration.ofSeconds(30)));
          assertThat(report.end()).isEqualTo(End.DENIED);
          assertThat(report.detail()).contains("sqs:ChangeMessageVisibility", desk.dead.name(), "credentials");
          assertThat(report.redriven()).isEqualTo(1);
          assertThat(report.notGivenBack()).isEqualTo(4);
          assertThat(desk.dead.calls(CallKind.EXTEND)).as("denied once is enough").hasSize(1);
        });
  }

  @Test
  void a_denied_give_back_ends_it_as_denied() {
    on(
        desk -> {
          desk.reject(5);
          desk.dead.onCall(CallKind.RELEASE, call -> Fault.accessDenied(CallKind.RELEASE));
          RedriveReport report = desk.letters().redrive(RedriveRequest.matching(letter -> false));
          assertThat(report.end()).isEqualTo(End.DENIED);
          assertThat(report.detail()).contains("sqs:ChangeMessageVisibility");
          assertThat(report.notGivenBack()).isEqualTo(5);
        });
  }

  @Test
  void what_is_sent_is_deleted_although_extensions_are_denied() {
    on(
        desk -> {
          desk.reject(1);
          desk.dead.onCall(CallKind.EXTEND, call -> Fault.accessDenied(CallKind.EXTEND));
          desk.dead.onCall(CallKind.DELETE, call -> call.number() < 9 ? Fault.throttled() : Fault.none());
          RedriveReport report =
              desk.letters().redrive(RedriveRequest.all().hiddenFor(Duration.ofSeconds(20)));
          assertThat(report.redriven()).isEqualTo(1);
          assertThat(report.end()).isEqualTo(End.DENIED);
          assertThat(desk.deadIds()).isEmpty();
        });
  }

  @Test
  void after_a_cancel_the_retries_of_a_delete_keep_their_pauses() {
    on(
        desk -> {
          desk.reject(3);
          desk.dead.onCall(CallKind.DELETE, call -> call.number() < 6 ? Fault.throttled() : Fault.none());
          RedriveReport report =
              desk.letters().redrive(
                  RedriveRequest.all().cancelWhen(() -> !desk.dead.calls(CallKind.DELETE).isEmpty()));
          assertThat(report.end()).isEqualTo(End.CANCELLED);
          assertThat(report.redriven()).isEqualTo(1);
          var deletes = desk.dead.calls(CallKind.DELETE);
          assertThat(deletes).hasSizeGreaterThanOrEqualTo(4);
          for (int i = 1; i < deletes.size(); i++) {
            assertThat(deletes.get(i).sentAt().minus(deletes.get(i - 1).sentAt()))
                .isGreaterThanOrEqualTo(Duration.ofMillis(100));
          }
        });
  }

  @Test
  void a_message_without_its_first_id_is_recognised_when_it_comes_back() {
    on(
        desk -> {
          Map<String, String> ten = new HashMap<>();
          Desk.numbered(10, i -> "own-" + i).forEach(name -> ten.put(name, "x"));
          desk.dead.send("an order", ten);
          int[] rejects = new int[1];
          RedriveReport report =
              desk.letters().redrive(
                  RedriveRequest.all().keys(KeySource.BUSINESS_KEY).onProgress(
                      now -> {
                        String id = desk.source.visible().getLast().id();
                        if (rejects[0]++ < 5) {
                          desk.dead.send("an order", Map.of(RejectAttributes.ORIGINAL_MESSAGE_ID, id));
                        }
                      }));
          assertThat(report.redriven()).isEqualTo(1);
          assertThat(report.cameBack()).isEqualTo(5);
          assertThat(report.isComplete()).isFalse();
        });
  }

  @Test
  void with_business_keys_a_message_that_is_too_large_with_its_first_id_goes_back_without() {
    on(
        desk -> {
          String large = "x".repeat(1_048_540);
          desk.dead.send(large);
          RedriveReport stays = desk.letters().redrive(RedriveRequest.all());
          assertThat(stays.left()).extracting(Left::why).containsExactly(Why.REFUSED);
          RedriveReport goes = desk.letters().redrive(RedriveRequest.all().keys(KeySource.BUSINESS_KEY));
          assertThat(goes.isComplete()).as("%s", goes).isTrue();
          assertThat(desk.source.visible().getFirst().attributes()).isEmpty();
        });
  }

  @Test
  void a_dead_letter_is_one_line() {
    on(
        desk -> {
          desk.dead.send(
              "an order",
              Map.of(
                  RejectAttributes.REASON, "bad\nINFO all is well\r\t\u2028end", RejectAttributes.ORIGINAL_MESSAGE_ID,
                  "first"));
          DeadLetter letter = desk.letters().list(ListRequest.defaults()).letters().getFirst();
          assertThat(letter.toString()).contains("bad INFO all is well   end");
          assertThat(letter.reason().orElseThrow()).contains("\n");
        });
  }

  @Test
  void a_rate_is_kept_and_progress_is_told() {
    on(
        desk -> {
          desk.reject(11);
          List<RedriveProgress> told = new ArrayList<>();
          RedriveReport report =
              desk.letters().redrive(RedriveRequest.all().perSecond(2).onProgress(told::add));
          assertThat(report.isComplete()).isTrue();
          assertThat(told).hasSize(11).last().isEqualTo(new RedriveProgress(11, 0, 0));
          var sends = desk.source.calls(CallKind.SEND);
          assertThat(sends.getLast().sentAt().minus(sends.getFirst().sentAt()))
              .isGreaterThanOrEqualTo(Duration.ofSeconds(5));
        });
  }

  @Test
  void a_limiter_is_asked_for_each_message() {
    on(
        desk -> {
          desk.reject(5);
          RateLimiter limiter =
              RateLimiter.of(
                  "redrive",
                  RateLimiterConfig.custom().limitForPeriod(100).limitRefreshPeriod(Duration.ofDays(1))
                      .timeoutDuration(Duration.ZERO).build());
          assertThat(desk.letters().redrive(RedriveRequest.all().rateLimiter(limiter)).redriven()).isEqualTo(5);
          assertThat(limiter.getMetrics().getAvailablePermissions()).isEqualTo(95);
        });
  }

  @Test
  void a_limiter_without_permissions_keeps_messages_back_until_the_redrive_is_cancelled() {
    on(
        desk -> {
          desk.reject(5);
          RateLimiter limiter =
              RateLimiter.of(
                  "redrive",
                  RateLimiterConfig.custom().limitForPeriod(2).limitRefreshPeriod(Duration.ofDays(1))
                      .timeoutDuration(Duration.ZERO).build());
          Duration start = desk.timing.elapsed();
          RedriveReport report =
              desk.letters().redrive(
                  RedriveRequest.all().rateLimiter(limiter)
                      .cancelWhen(() -> desk.timing.elapsed().minus(start).compareTo(Duration.ofMinutes(5)) > 0));
          assertThat(report.end()).isEqualTo(End.CANCELLED);
          assertThat(report.redriven()).isEqualTo(2);
          assertThat(desk.dead.visible()).as("given back").hasSize(3);
          assertThat(desk.dead.trespasses()).isEmpty();
        });
  }

  @Test
  void an_interrupt_ends_it_and_leaves_the_flag_set() {
    on(
        desk -> {
          desk.reject(25);
          RedriveReport report =
              desk.letters().redrive(
                  RedriveRequest.all().onProgress(
                      now -> {
                        if (now.redriven() == 3) {
                          Thread.currentThread().interrupt();
                        }
                      }));
          assertThat(Thread.interrupted()).isTrue();
          assertThat(report.end()).isEqualTo(End.CANCELLED);
          assertThat(report.redriven()).isEqualTo(3);
          assertThat(desk.dead.visible()).hasSize(22);
          assertThat(desk.dead.violations()).isEmpty();
          assertThat(desk.source.violations()).isEmpty();
        });
  }

  @Test
  void a_missing_permission_ends_it_and_is_named() {
    on(
        desk -> {
          desk.reject(3);
          desk.source.nextCall(CallKind.SEND, Fault.accessDenied(CallKind.SEND));
          RedriveReport report = desk.letters().redrive(RedriveRequest.all());
          assertThat(report.end()).isEqualTo(End.DENIED);
          assertThat(report.detail()).contains("sqs:SendMessage", "orders");
          assertThat(desk.dead.visible()).hasSize(3);
          desk.dead.nextCall(CallKind.RECEIVE, Fault.accessDenied(CallKind.RECEIVE));
          assertThat(desk.letters().redrive(RedriveRequest.all()).end()).isEqualTo(End.DENIED);
          desk.dead.nextCall(CallKind.DELETE, Fault.accessDenied(CallKind.DELETE));
          RedriveReport undeleted = desk.letters().redrive(RedriveRequest.all());
          assertThat(undeleted.detail()).contains("sqs:DeleteMessage");
          assertThat(undeleted.left()).extracting(Left::why).containsExactly(Why.NOT_DELETED);
        });
  }

  @Test
  void throttling_is_waited_out() {
    on(
        desk -> {
          desk.reject(15);
          for (CallKind kind : List.of(CallKind.RECEIVE, CallKind.DELETE)) {
            desk.dead.onCall(kind, call -> call.number() % 2 == 0 ? Fault.throttled() : Fault.none());
          }
          desk.source.onCall(CallKind.SEND, call -> call.number() % 2 == 0 ? Fault.throttled() : Fault.none());
          assertThat(desk.letters().redrive(RedriveRequest.all()).isComplete()).isTrue();
          assertThat(desk.backIds()).containsExactlyInAnyOrderElementsOf(Desk.first(15));
        });
  }

  @Test
  void a_source_queue_that_takes_nothing_for_a_visibility_timeout_ends_it() {
    on(
        desk -> {
          desk.reject(3);
          desk.source.onCall(CallKind.SEND, call -> Fault.unavailable());
          RedriveReport report = desk.letters().redrive(RedriveRequest.all());
          assertThat(report.end()).isEqualTo(End.FAILED);
          assertThat(report.left()).extracting(Left::why).containsExactly(Why.NOT_ANSWERED);
          desk.timing.advance(Duration.ofMinutes(2));
          assertThat(desk.dead.visible()).hasSize(3);
          desk.dead.onCall(CallKind.RECEIVE, call -> Fault.queueDoesNotExist());
          assertThat(desk.letters().redrive(RedriveRequest.all()).end()).isEqualTo(End.FAILED);
          assertThatThrownBy(() -> desk.letters().list(ListRequest.defaults())).isInstanceOf(QueueException.class);
        });
  }

  @Test
  void a_queue_without_a_redrive_policy_or_of_another_kind_is_refused() {
    on(
        desk -> {
          var alone = SimulatedQueue.standard(desk.timing, "alone").connect();
          assertThatThrownBy(() -> DeadLetters.of(alone)).isInstanceOf(IllegalArgumentException.class)
              .hasMessageContaining("redrive policy");
          assertThatThrownBy(() -> DeadLetters.of(alone, alone)).isInstanceOf(IllegalArgumentException.class);
          var fifo = SimulatedQueue.fifo(desk.timing, "alone.fifo").connect();
          assertThatThrownBy(() -> DeadLetters.of(fifo, alone)).isInstanceOf(IllegalArgumentException.class)
              .hasMessageContaining("FIFO");
        });
  }

  @Test
  void a_move_task_is_refused_for_keys_of_message_ids_and_where_there_is_none() {
    on(
        desk -> {
          assertThatThrownBy(() -> desk.letters().startMoveTask(KeySource.MESSAGE_ID, OptionalInt.empty()))
              .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("new ids");
          assertThatThrownBy(() -> desk.letters().startMoveTask(null, OptionalInt.empty()))
              .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("keys = null: give BUSINESS_KEY");
          assertThatThrownBy(() -> desk.letters().startMoveTask(KeySource.BUSINESS_KEY, OptionalInt.empty()))
              .isInstanceOf(UnsupportedOperationException.class);
        });
  }

  @Test
  void settings_outside_their_ranges_are_refused() {
    for (Runnable refused : List.<Runnable>of(
        () -> ListRequest.defaults().upTo(0),
        () -> ListRequest.defaults().upTo(10_001),
        () -> ListRequest.defaults().within(Duration.ZERO),
        () -> ListRequest.defaults().hiddenFor(Duration.ofSeconds(9)),
        () -> RedriveRequest.all().hiddenFor(Duration.ofHours(13)),
        () -> RedriveRequest.all().hiddenFor(Duration.ofMillis(20_500)),
        () -> RedriveRequest.all().perSecond(0),
        () -> RedriveRequest.all().perSecond(Double.NaN),
        () -> RedriveRequest.all().atMost(0))) {
      assertThatThrownBy(refused::run).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("give");
    }
    assertThatThrownBy(() -> RedriveRequest.all().hiddenFor(Duration.ofSeconds(9)))
        .hasMessageStartingWith("hiddenFor = PT9S");
    assertThat(Optional.of(RedriveRequest.all().perSecond(0.01))).isPresent();
  }
}
