package io.queueworker.deadletter;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.deadletter.RedriveReport.End;
import io.queueworker.deadletter.RedriveReport.Left;
import io.queueworker.deadletter.RedriveReport.Why;
import io.queueworker.queue.ReceiveRequest;
import io.queueworker.queue.RejectAttributes;
import io.queueworker.testkit.engine.NewMessage;
import io.queueworker.testkit.simulation.CallKind;
import io.queueworker.testkit.simulation.Fault;
import io.queueworker.testkit.simulation.SimulatedCall;
import io.queueworker.testkit.simulation.SimulatedMachine;
import io.queueworker.testkit.simulation.SimulatedMessage;
import io.queueworker.testkit.simulation.SimulatedQueue;
import io.queueworker.testkit.simulation.SimulatedTiming;
import io.queueworker.timing.Timing.ThreadKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** What may go wrong on the way back, each with what has to hold all the same. A control runs it without the guard that it needs. */
enum RedriveScenario {

  /** Requests of sends are lost, and replies. */
  LOST_SENDS(RedriveScenario::lostSends),
  /** On a FIFO queue, within five minutes of the first send. */
  FIFO_SOON_AFTER_THE_FIRST_SEND(RedriveScenario::soonAfterTheFirstSend),
  /** The process dies before the source queue has the message, or when it has it. */
  DEATH_BETWEEN_SEND_AND_DELETE(RedriveScenario::deathBetweenSendAndDelete),
  /** The source queue refuses a message. */
  REFUSED(RedriveScenario::refused),
  /** A send takes longer than the visibility timeout. */
  TIME_RUNS_OUT_DURING_A_SEND(RedriveScenario::timeRunsOutDuringASend),
  /** A rate at which the last message of a receive waits for longer than the visibility timeout. */
  SLOW_RATE(RedriveScenario::slowRate),
  /** A group's message is refused, with others behind it. */
  ORDER_BEHIND_A_REFUSED_MESSAGE(RedriveScenario::orderBehindARefusedMessage),
  /** What goes back fails again, at once. */
  BACK_AGAIN(RedriveScenario::backAgain),
  /** Another queue has the same dead-letter queue. */
  OTHER_QUEUES(RedriveScenario::otherQueues),
  /** A listing, twice. */
  LISTED_TWICE(RedriveScenario::listedTwice),
  /** Messages that the service moved, without an id as an attribute. */
  MOVED_BY_THE_SERVICE(RedriveScenario::movedByTheService);

  /** So close to what a message may have that an id more is too much. */
  private static final String LARGE = "x".repeat(1_048_540);

  @SuppressWarnings("ImmutableEnumChecker") // Its methods have no state.
  private final Consumer<SimulatedTiming> body;

  RedriveScenario(Consumer<SimulatedTiming> body) {
    this.body = body;
  }

  /** Runs it from a seed; throws when something does not hold. */
  void run(long seed) {
    SimulatedTiming.run(seed, body::accept);
  }

  private static void lostSends(SimulatedTiming timing) {
    for (Desk.Kind kind : Desk.Kind.values()) {
      Desk desk = new Desk(timing, kind);
      desk.reject(15);
      desk.source.onCall(
          CallKind.SEND,
          call -> call.number() % 3 == 0
              ? Fault.loseRequest()
              : call.number() % 3 == 1 ? Fault.loseReply() : Fault.none());
      RedriveReport report = desk.letters().redrive(RedriveRequest.all());
      assertThat(report.isComplete()).as("%s", report).isTrue();
      assertThat(desk.deadIds()).isEmpty();
      assertThat(desk.backIds()).containsAll(Desk.first(15));
      if (kind == Desk.Kind.FIFO) {
        assertThat(desk.backIds()).as("the deduplication id recognised what was sent again").hasSize(15);
      } else {
        assertThat(desk.backIds()).as("sent again rather than lost").hasSizeGreaterThan(15);
      }
    }
  }

  private static void soonAfterTheFirstSend(SimulatedTiming timing) {
    Desk desk = new Desk(timing, Desk.Kind.FIFO);
    for (int i = 0; i < 5; i++) {
      desk.source.send(Integer.toString(i), "group-" + i, "sent-" + i);
    }
    var connection = desk.source.connect();
    connection.delete(
        connection.receive(new ReceiveRequest(10, Duration.ZERO, null)).stream()
            .map(m -> m.receipt()).toList(),
        Duration.ofSeconds(1));
    desk.reject(5);
    assertThat(desk.letters().redrive(RedriveRequest.all()).redriven()).isEqualTo(5);
    assertThat(desk.backIds()).containsExactlyInAnyOrderElementsOf(Desk.first(5));
  }

  private static void deathBetweenSendAndDelete(SimulatedTiming timing) {
    for (Desk.Kind kind : Desk.Kind.values()) {
      Desk desk = new Desk(timing, kind);
      desk.reject(5);
      SimulatedMachine mortal = timing.machine("mortal-" + kind, Duration.ZERO);
      desk.source.onCall(
          CallKind.SEND, call -> call.number() % 2 == 0 && call.machine().startsWith("mortal")
              ? timing.seed() % 2 == 0 ? Fault.killBeforeSend() : Fault.killAfterReply()
              : Fault.none());
      DeadLetters first = DeadLetters.of(desk.source.connect(mortal)).timing(mortal);
      mortal.start(ThreadKind.PLATFORM, "redrive", () -> first.redrive(RedriveRequest.all()));
      timing.await("the death", mortal::isKilled, Duration.ofMinutes(5));
      timing.advance(Duration.ofMinutes(2));
      RedriveReport report = desk.letters().redrive(RedriveRequest.all());
      assertThat(report.isComplete()).as("%s", report).isTrue();
      assertThat(desk.deadIds()).isEmpty();
      assertThat(desk.backIds()).containsAll(Desk.first(5));
    }
  }

  private static void refused(SimulatedTiming timing) {
    Desk desk = new Desk(timing, Desk.Kind.STANDARD);
    desk.reject(3);
    desk.dead.send(LARGE);
    RedriveReport report = desk.letters().redrive(RedriveRequest.all());
    assertThat(report.end()).isEqualTo(End.FINISHED);
    assertThat(report.redriven()).isEqualTo(3);
    assertThat(report.left()).extracting(Left::why).containsExactly(Why.REFUSED);
    assertThat(desk.dead.visible()).as("given back").extracting(SimulatedMessage::body).containsExactly(LARGE);
  }

  private static void timeRunsOutDuringASend(SimulatedTiming timing) {
    Desk desk = new Desk(timing, Desk.Kind.STANDARD);
    desk.reject(1);
    desk.source.nextCall(CallKind.SEND, Fault.hang(Duration.ofSeconds(75)));
    RedriveReport report = desk.letters().redrive(RedriveRequest.all());
    assertThat(report.end()).isEqualTo(End.FINISHED);
    assertThat(desk.dead.calls(CallKind.DELETE).stream().flatMap(c -> c.entries().stream()))
        .as("deletes of what was held").isNotEmpty().allMatch(SimulatedCall.Entry::heldWhenDecided);
    assertThat(desk.backIds()).as("known as sent when it came again").containsExactly("first-0");
    assertThat(desk.deadIds()).isEmpty();
  }

  private static void slowRate(SimulatedTiming timing) {
    for (Desk.Kind kind : Desk.Kind.values()) {
      Desk desk = new Desk(timing, kind);
      desk.reject(8);
      Duration start = timing.elapsed();
      RedriveReport report = desk.letters().redrive(
          RedriveRequest.all().perSecond(0.05)
              .cancelWhen(() -> timing.elapsed().minus(start).compareTo(Duration.ofHours(1)) > 0));
      assertThat(report.isComplete()).as("%s", report).isTrue();
      assertThat(timing.elapsed().minus(start)).isGreaterThanOrEqualTo(Duration.ofSeconds(140));
      assertThat(desk.dead.entries(CallKind.RECEIVE)).as("each was received once").isEqualTo(8);
      assertThat(desk.backIds()).containsExactlyInAnyOrderElementsOf(Desk.first(8));
    }
  }

  private static void orderBehindARefusedMessage(SimulatedTiming timing) {
    Desk desk = new Desk(timing, Desk.Kind.FIFO);
    for (int i = 0; i < 25; i++) {
      desk.reject(i, "good");
    }
    for (int i = 25; i < 50; i++) {
      if (i == 30) {
        desk.dead.send(NewMessage.of(LARGE).inGroup("stuck").deduplicatedBy("large"));
      }
      desk.reject(i, "stuck");
    }
    desk.source.onCall(CallKind.SEND, call -> call.number() % 4 == 0 ? Fault.loseReply() : Fault.none());
    RedriveReport report = desk.letters().redrive(RedriveRequest.all());
    assertThat(report.redriven()).as("%s", report).isEqualTo(30);
    assertThat(report.left()).extracting(Left::why).contains(Why.REFUSED, Why.BEHIND);
    List<String> bodies = desk.source.visible().stream().map(SimulatedMessage::body).toList();
    assertThat(bodies).filteredOn(b -> Integer.parseInt(b) < 25).isEqualTo(Desk.numbered(25, i -> "" + i));
    assertThat(bodies).filteredOn(b -> Integer.parseInt(b) >= 25).isEqualTo(Desk.numbered(5, i -> "" + (25 + i)));
    assertThat(desk.dead.visible()).as("given back").hasSize(21);
  }

  private static void backAgain(SimulatedTiming timing) {
    Desk desk = new Desk(timing, Desk.Kind.STANDARD);
    desk.reject(4);
    List<String> seen = new ArrayList<>();
    RedriveReport report =
        desk.letters().redrive(
            RedriveRequest.all().onProgress(
                now -> {
                  assertThat(now.redriven()).as("it goes on for ever").isLessThanOrEqualTo(4);
                  for (SimulatedMessage back : desk.source.visible()) {
                    if (seen.add(back.id()) && seen.indexOf(back.id()) == seen.size() - 1) {
                      String id = back.attributes().getOrDefault(RejectAttributes.ORIGINAL_MESSAGE_ID, "");
                      desk.reject(Integer.parseInt(id.replace("first-", "")), "");
                    }
                  }
                }));
    assertThat(report.redriven()).isEqualTo(4);
    assertThat(report.cameBack()).isEqualTo(4);
    assertThat(report.isComplete()).isFalse();
    assertThat(desk.deadIds()).containsExactlyInAnyOrderElementsOf(Desk.first(4));
  }

  private static void otherQueues(SimulatedTiming timing) {
    Desk desk = new Desk(timing, Desk.Kind.STANDARD);
    desk.reject(2);
    SimulatedQueue other = SimulatedQueue.standard(timing, "invoices").redrive(1, desk.dead);
    other.send("an invoice");
    desk.dead.send(
        "a rejected invoice",
        Map.of(RejectAttributes.ORIGINAL_MESSAGE_ID, "first", RejectAttributes.SOURCE_QUEUE, "invoices"));
    moveAll(timing, other, desk.dead, 4);
    RedriveReport report = desk.letters().redrive(RedriveRequest.all());
    assertThat(report.ofOtherQueues()).as("moved by the service, and rejected by a worker").isEqualTo(2);
    assertThat(desk.source.visible()).extracting(SimulatedMessage::body).containsExactlyInAnyOrder("0", "1");
    assertThat(desk.letters().redrive(RedriveRequest.all().fromAnyQueue()).redriven()).isEqualTo(2);
  }

  private static void listedTwice(SimulatedTiming timing) {
    for (Desk.Kind kind : Desk.Kind.values()) {
      Desk desk = new Desk(timing, kind);
      desk.reject(25);
      for (int i = 0; i < 2; i++) {
        DeadLetterList list = desk.letters().list(ListRequest.defaults());
        assertThat(list.end()).isEqualTo(DeadLetterList.End.NOTHING_MORE_VISIBLE);
        assertThat(list.letters()).hasSize(25).extracting(DeadLetter::originalId).doesNotHaveDuplicates();
        assertThat(list.notGivenBack()).isZero();
        assertThat(desk.dead.inFlight()).filteredOn(m -> kind != Desk.Kind.SMQ).as("given back").isEmpty();
        timing.advance(Duration.ofSeconds(2));
      }
    }
  }

  private static void movedByTheService(SimulatedTiming timing) {
    Desk desk = new Desk(timing, Desk.Kind.STANDARD);
    desk.source.maxReceiveCount(1);
    Map<String, String> sent = new HashMap<>();
    for (int i = 0; i < 4; i++) {
      sent.put(desk.source.send("" + i), "" + i);
    }
    moveAll(timing, desk.source, desk.dead, 4);
    RedriveReport report = desk.letters().redrive(RedriveRequest.all());
    assertThat(report.isComplete()).as("%s", report).isTrue();
    Map<String, String> back = new HashMap<>();
    desk.source.visible()
        .forEach(m -> back.put(m.attributes().getOrDefault(RejectAttributes.ORIGINAL_MESSAGE_ID, "none"), m.body()));
    assertThat(back).as("first ids and bodies").isEqualTo(sent);
  }

  /** Receives until the service has moved everything. */
  private static void moveAll(SimulatedTiming timing, SimulatedQueue from, SimulatedQueue dead, int expected) {
    var connection = from.connect();
    for (int i = 0; i < 20 && dead.visible().size() < expected; i++) {
      connection.receive(new ReceiveRequest(10, Duration.ZERO, Duration.ofSeconds(1)));
      timing.advance(Duration.ofSeconds(2));
    }
    assertThat(dead.visible()).hasSize(expected);
  }
}
