package io.queueworker.testkit.chaos;

import io.queueworker.testkit.chaos.ChaosStep.Jolt;
import io.queueworker.testkit.chaos.ChaosStep.Upset;
import io.queueworker.testkit.simulation.CallKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * Draws disturbances that can come about in a world. Not thread-safe.
 *
 * <p>What no client can notice is left out: an answer to a receive that was on its way for longer than a lease's margin within
 * the long poll, and a standstill that is shorter than the heartbeat can see.
 */
final class StepDraw {

  /** The events at which a machine may die. */
  static final List<String> DEATHS =
      List.of(
          "ReceiveCompleted", "Received", "HandlerStarted", "HandlerReturned", "Committed", "Suppressed",
          "CommitUnknown",
          "HeldBack", "Failed", "ExtendSent", "Extended", "ExtendFailed", "LeaseLost", "Interrupted", "Deleted",
          "DeleteFailed", "Released", "ReleaseFailed", "LeftForRedrive", "CutShort", "Draining");

  /** The events at which it may stand still: not between the decision to extend and the sending, which is a trouble. */
  static final List<String> STANDSTILLS = DEATHS.stream().filter(name -> !name.equals("ExtendSent")).toList();

  private static final List<Trouble> ANY_CALL =
      List.of(
          Trouble.FAIL, Trouble.THROTTLED, Trouble.DENIED, Trouble.DELAY_REQUEST, Trouble.DELAY_REPLY,
          Trouble.LOSE_REQUEST, Trouble.LOSE_REPLY, Trouble.HANG, Trouble.FREEZE_BEFORE_SEND, Trouble.KILL_BEFORE_SEND,
          Trouble.KILL_AFTER_SEND, Trouble.KILL_AFTER_REPLY);

  /** Troubles after which a release may have come although its worker does not know. */
  private static final List<Trouble> UNKNOWN =
      List.of(Trouble.LOSE_REPLY, Trouble.LOSE_REPLY, Trouble.DELAY_REPLY, Trouble.DELAY_REQUEST);

  private static final List<Trouble> ENTRIES =
      List.of(Trouble.ENTRY_LOST, Trouble.ENTRY_GONE, Trouble.ENTRY_RETRYABLE, Trouble.ENTRY_DENIED);

  private static final List<Trouble> ANY_SERVICE =
      List.of(
          Trouble.FAIL, Trouble.DELAY_REQUEST, Trouble.DELAY_REPLY, Trouble.LOSE_REQUEST, Trouble.LOSE_REPLY,
          Trouble.HANG, Trouble.FREEZE_BEFORE_SEND, Trouble.KILL_BEFORE_SEND, Trouble.KILL_AFTER_SEND,
          Trouble.KILL_AFTER_REPLY);

  private static final List<ServiceCall> DATABASE =
      List.of(ServiceCall.LOOK, ServiceCall.OPEN, ServiceCall.INSERT, ServiceCall.COMMIT, ServiceCall.COMMIT,
          ServiceCall.ROLLBACK);

  private static final List<ServiceCall> LEASED =
      List.of(ServiceCall.ADMIT, ServiceCall.RENEW, ServiceCall.COMPLETE, ServiceCall.LET_GO, ServiceCall.OUTSIDE);

  private final SplittableRandom draws;
  private final ChaosSettings settings;

  StepDraw(SplittableRandom draws, ChaosSettings settings) {
    this.draws = draws;
    this.settings = settings;
  }

  /** Every kind of trouble that a call to a queue can have. */
  static List<Trouble> troubles(CallKind call) {
    return switch (call) {
      case ATTRIBUTES, RECEIVE, SEND -> ANY_CALL;
      case EXTEND, RELEASE -> Stream.of(ANY_CALL, ENTRIES, List.of(Trouble.LATE_BESIDE_STANDSTILL))
          .flatMap(List::stream).toList();
      case DELETE -> Stream.of(ANY_CALL, ENTRIES, List.of(Trouble.COMES_AGAIN, Trouble.LATE_BESIDE_STANDSTILL))
          .flatMap(List::stream).toList();
    };
  }

  /** Every kind of trouble that a call to a modelled service can have. */
  static List<Trouble> troubles(ServiceCall call) {
    List<Trouble> all = new ArrayList<>(ANY_SERVICE);
    if (List.of(ServiceCall.LOOK, ServiceCall.OPEN, ServiceCall.INSERT, ServiceCall.COMMIT).contains(call)) {
      all.add(Trouble.CONFLICT);
    }
    if (List.of(ServiceCall.OPEN, ServiceCall.INSERT, ServiceCall.COMMIT).contains(call)) {
      all.add(Trouble.REFUSED);
    }
    return all;
  }

  /** The kinds of all disturbances that can be drawn. */
  static List<String> kinds() {
    List<ChaosStep> all = new ArrayList<>();
    Duration some = Duration.ofSeconds(1);
    for (CallKind call : CallKind.values()) {
      troubles(call).forEach(trouble -> all.add(new ChaosStep.OnQueue(call, 1, trouble, some)));
    }
    for (ServiceCall call : ServiceCall.values()) {
      troubles(call).forEach(trouble -> all.add(new ChaosStep.OnService(call, 1, trouble, some)));
    }
    RejectDraw.EVENTS.forEach(event -> all.add(new ChaosStep.OnEvent(event, 1, Duration.ZERO)));
    RejectDraw.EVENTS.forEach(event -> all.add(new ChaosStep.OnEvent(event, 1, some)));
    DEATHS.forEach(event -> all.add(new ChaosStep.OnEvent(event, 1, Duration.ZERO)));
    STANDSTILLS.forEach(event -> all.add(new ChaosStep.OnEvent(event, 1, some)));
    for (Jolt jolt : Jolt.values()) {
      all.add(new ChaosStep.OnWorker(some, 0, jolt, some));
    }
    for (Upset upset : Upset.values()) {
      all.add(new ChaosStep.OnWorld(some, upset, 0, some));
    }
    for (Act act : Act.values()) {
      all.add(new ChaosStep.OnHandler(0, 1, act, some));
    }
    return all.stream().map(ChaosStep::kind).toList();
  }

  /** The next one, with others that make it likely to come about. */
  List<ChaosStep> next() {
    ChaosStep step = one();
    List<ChaosStep> all = new ArrayList<>(List.of(step));
    all.addAll(new Companions(draws, settings).of(step));
    return all;
  }

  /** A long handler, an extension that fails, and deletes that fail or are not permitted. */
  List<ChaosStep> harmless() {
    List<Trouble> failures = List.of(Trouble.FAIL, Trouble.THROTTLED, Trouble.ENTRY_RETRYABLE);
    List<ChaosStep> all = new ArrayList<>();
    Duration takes = settings.maxProcessing().dividedBy(3);
    all.add(new ChaosStep.OnHandler(draws.nextInt(settings.bodies()), 1, Act.TAKES, takes));
    all.add(new ChaosStep.OnQueue(CallKind.EXTEND, nth(5), pick(failures), length()));
    all.add(new ChaosStep.OnQueue(CallKind.DELETE, nth(5), pick(failures), length()));
    if (draws.nextBoolean()) {
      all.add(new ChaosStep.OnWorld(at(), Upset.DELETE_DENIED, 0, length()));
    }
    return all;
  }

  private ChaosStep one() {
    return switch (draws.nextInt(10)) {
      case 0, 1, 2 -> onQueue();
      case 3, 4 -> onService();
      case 5 -> onEvent();
      case 6 -> onWorker();
      case 7 -> onWorld();
      default -> onHandler();
    };
  }

  private ChaosStep onQueue() {
    CallKind call =
        pick(
            List.of(
                CallKind.ATTRIBUTES, CallKind.RECEIVE, CallKind.RECEIVE, CallKind.EXTEND, CallKind.EXTEND,
                CallKind.RELEASE, CallKind.RELEASE, CallKind.DELETE, CallKind.DELETE));
    boolean unknown = call == CallKind.RELEASE && draws.nextBoolean();
    Trouble drawn = pick(unknown ? UNKNOWN : troubles(call));
    // A worker that may not read the visibility timeout assumes one, which only a receive that sets its own makes true.
    boolean unknowable =
        drawn == Trouble.DENIED && call == CallKind.ATTRIBUTES && settings.queue() == QueueKind.SMQ_LIKE;
    Trouble trouble = unknowable ? Trouble.THROTTLED : drawn;
    return new ChaosStep.OnQueue(call, nth(call == CallKind.RECEIVE ? 15 : 5), trouble, length(call, trouble));
  }

  private Duration length(CallKind call, Trouble trouble) {
    boolean late = trouble == Trouble.DELAY_REPLY || trouble == Trouble.HANG;
    Duration margin = settings.margin().dividedBy(2);
    // The lease counts from the answer, or from the end of the long poll: what lies between cannot be noticed.
    return call == CallKind.RECEIVE && late && settings.pollWait().compareTo(margin) > 0 ? margin : length();
  }

  private ChaosStep onService() {
    List<ServiceCall> calls =
        switch (settings.gate()) {
          case OWN -> Stream.concat(DATABASE.stream(), LEASED.stream()).toList();
          case DATABASE -> DATABASE;
          case NONE -> List.of(ServiceCall.OUTSIDE);
          default -> LEASED;
        };
    ServiceCall call = pick(calls);
    return new ChaosStep.OnService(call, nth(8), pick(troubles(call)), length());
  }

  private ChaosStep onEvent() {
    return draws.nextBoolean()
        ? new ChaosStep.OnEvent(pick(DEATHS), nth(5), Duration.ZERO)
        : new ChaosStep.OnEvent(pick(STANDSTILLS), nth(5), length());
  }

  private ChaosStep onWorker() {
    Jolt jolt = pick(List.of(Jolt.values()));
    Duration length =
        switch (jolt) {
          case FREEZE, SUSPEND, PAUSE -> length();
          case LEAP -> Duration.ofSeconds(draws.nextInt(-600, 601));
          case KILL -> Duration.ZERO;
          case CLOSE -> Duration.ofMillis(draws.nextInt(0, 30_000));
        };
    return new ChaosStep.OnWorker(at(), draws.nextInt(settings.workers()), jolt, length);
  }

  private ChaosStep onWorld() {
    Upset upset = pick(List.of(Upset.values()));
    Duration length =
        switch (upset) {
          case DATABASE_SLOW -> Duration.ofMillis(draws.nextInt(200, 4_000));
          case VISIBILITY_SET -> Duration.ofSeconds(draws.nextInt(leastVisibility(), 61));
          default -> Duration.ofMillis(draws.nextInt(500, 60_000));
        };
    return new ChaosStep.OnWorld(at(), upset, draws.nextInt(settings.bodies()), length);
  }

  /** A receive that cannot set its own value relies on the queue's, as it was at the last look: longer does no harm. */
  private int leastVisibility() {
    return settings.queue() == QueueKind.SMQ_LIKE ? (int) settings.visibility().toSeconds() : 2;
  }

  private ChaosStep onHandler() {
    List<Act> acts = new ArrayList<>(List.of(Act.values()));
    acts.remove(Act.REJECTS); // drawn by RejectDraw
    if (settings.gate() != GateKind.DATABASE) {
      acts.remove(Act.SWALLOWS);
    }
    if (settings.gate() == GateKind.NONE) {
      acts.remove(Act.KEY_FAILS);
    }
    if (settings.gate() == GateKind.OWN) {
      acts.removeAll(List.of(Act.DECODE_FAILS, Act.KEY_FAILS, Act.GIVEN_UP));
    }
    if (settings.stall().isEmpty()) {
      acts.remove(Act.STALLS);
    }
    Act act = pick(acts);
    boolean byBody = act == Act.DECODE_FAILS || act == Act.KEY_FAILS;
    int message = draws.nextInt(byBody ? settings.bodies() : settings.bodies() + settings.twins());
    Duration length = act == Act.WISHES ? Duration.ofSeconds(draws.nextInt(1, 200)) : length();
    return new ChaosStep.OnHandler(message, draws.nextInt(3) == 0 ? 2 : 1, act, length);
  }

  /** From a moment to several visibility timeouts. */
  private Duration length() {
    long visibility = settings.visibility().toMillis();
    return Duration.ofMillis(
        switch (draws.nextInt(3)) {
          case 0 -> draws.nextLong(1_000, 4_000);
          case 1 -> draws.nextLong(Math.max(1_000, visibility / 2), 2 * visibility + 1_000);
          default -> draws.nextLong(1_000, 90_000);
        });
  }

  private Duration at() {
    return Duration.ofMillis(draws.nextInt(0, 60_000));
  }

  private int nth(int most) {
    return draws.nextInt(1, 1 + pick(List.of(1, 3, most)));
  }

  private <V> V pick(List<V> values) {
    return values.get(draws.nextInt(values.size()));
  }
}
