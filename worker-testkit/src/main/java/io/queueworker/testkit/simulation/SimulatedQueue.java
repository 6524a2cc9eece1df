package io.queueworker.testkit.simulation;

import io.queueworker.queue.EntryResult;
import io.queueworker.queue.MessageQueue;
import io.queueworker.queue.QueueAttributes;
import io.queueworker.queue.QueueTraits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/**
 * A queue service in virtual time, with the rules that a real one has and with faults on demand.
 *
 * <p>Several workers share it, each through a {@linkplain #connect() connection} of its own. Calls take virtual time; a
 * request that was sent has its effect also when the client gave up, stood still or died meanwhile. Settings may be
 * changed at any time.
 *
 * <p>Not thread-safe, and need not be: simulated threads run one at a time. Its methods do not wait.
 */
public final class SimulatedQueue {

  private static final QueueTraits STANDARD =
      new QueueTraits(
          10,
          Duration.ofSeconds(20),
          Duration.ZERO,
          Duration.ofHours(12),
          Optional.of(Duration.ofHours(12)),
          true,
          false,
          true,
          false,
          false);
  private static final QueueTraits SMQ =
      new QueueTraits(
          16,
          Duration.ofSeconds(30),
          Duration.ofSeconds(1),
          Duration.ofHours(12),
          Optional.empty(),
          false,
          true,
          false,
          true,
          false);

  private final SimulatedTiming timing;
  private final String name;
  private final QueueTraits traits;
  private final Store store;
  private final LongPolls polls;
  private final CallLog log = new CallLog();
  private final Faults faults = new Faults();
  private Duration visibility = Duration.ofSeconds(30);
  private Duration receiveTimeout = Duration.ofSeconds(10);
  private Exchange.Latency latency =
      new Exchange.Latency(Duration.ofMillis(1).toNanos(), Duration.ofMillis(5).toNanos());
  private int inFlightLimit = 120_000;
  private int sent;

  private SimulatedQueue(SimulatedTiming timing, String name, QueueTraits traits) {
    this.timing = timing;
    this.name = name;
    this.traits = traits;
    this.store = new Store(traits, timing.scheduler().draws);
    this.polls = new LongPolls(timing.scheduler().time, store);
  }

  /** A queue with the rules of a standard Amazon SQS queue: visibility timeout 30 s, no redrive policy. */
  public static SimulatedQueue standard(SimulatedTiming timing, String name) {
    return new SimulatedQueue(timing, name, STANDARD);
  }

  /**
   * A queue with the rules of an Alibaba Cloud SMQ queue: each extension gives a new receipt and ends the old one, there
   * is no batch extension and no delay below a second, receipts whose time ran out are refused, and a receive cannot set
   * its own visibility timeout.
   */
  public static SimulatedQueue smqLike(SimulatedTiming timing, String name) {
    return new SimulatedQueue(timing, name, SMQ);
  }

  /** Sets the queue's own visibility timeout, one second to 12 hours; 30 seconds unless set. */
  public SimulatedQueue visibility(Duration timeout) {
    requireRange("visibility", timeout, Duration.ofSeconds(1), traits.largestVisibility());
    this.visibility = timeout;
    return this;
  }

  /** Sets after how many receives a message becomes a dead letter, 1 or more; never unless set. */
  public SimulatedQueue maxReceiveCount(int receives) {
    if (receives < 1) {
      throw new IllegalArgumentException("maxReceiveCount = " + receives + ": give 1 or more");
    }
    store.maxReceiveCount = OptionalInt.of(receives);
    return this;
  }

  /** Sets how long each way of a call takes, drawn from the seed between both; 1 ms to 5 ms unless set. */
  public SimulatedQueue latency(Duration least, Duration most) {
    requireRange("latency from", least, Duration.ZERO, most);
    this.latency = new Exchange.Latency(least.toNanos(), most.toNanos());
    return this;
  }

  /** Sets how long beyond its long poll a client waits for the answer to a receive; 10 seconds unless set. */
  public SimulatedQueue receiveTimeout(Duration beyondLongPoll) {
    requireRange("receiveTimeout", beyondLongPoll, Duration.ofMillis(1), Duration.ofDays(1));
    this.receiveTimeout = beyondLongPoll;
    return this;
  }

  /** Sets how many messages may be in flight before receives bring none; 120,000 unless set. */
  public SimulatedQueue inFlightLimit(int messages) {
    this.inFlightLimit = messages;
    return this;
  }

  /** Makes receives bring visible messages in an order drawn from the seed, instead of in the order of sending. */
  public SimulatedQueue anyOrder() {
    store.anyOrder = true;
    return this;
  }

  /** Lets {@code plan} decide what goes wrong with every call of this kind from now on. */
  public SimulatedQueue onCall(CallKind kind, Function<SimulatedCall, Fault> plan) {
    faults.plan(kind, plan);
    return this;
  }

  /** Lets this go wrong with the next call of the kind; further ones queue up. Goes before {@link #onCall}. */
  public SimulatedQueue nextCall(CallKind kind, Fault fault) {
    faults.once(kind, fault);
    return this;
  }

  /** {@link #connect(SimulatedMachine)} for the home machine. */
  public MessageQueue connect() {
    return connect(timing.home());
  }

  /** The queue as the given machine reaches it; the machine's name is in the log of calls. */
  public MessageQueue connect(SimulatedMachine machine) {
    return new QueueConnection(this, machine);
  }

  /** Puts a message on the queue at once and gives back its id. */
  public String send(String body) {
    return send(body, Map.of());
  }

  /** {@link #send(String)} with the sender's attributes. */
  public String send(String body, Map<String, String> attributes) {
    String id = name + "-" + ++sent;
    store.add(new Stored(id, body, attributes, Optional.empty(), timing.now()));
    // A waiting poll gets it between two steps, as it would from a service on another machine.
    timing.scheduler().time.after(0, polls::serve);
    return id;
  }

  /** Puts messages on the queue at once, in order, and gives back their ids. */
  public List<String> sendAll(List<String> bodies) {
    List<String> ids = new ArrayList<>();
    bodies.forEach(body -> ids.add(send(body)));
    return ids;
  }

  /** The messages that a receive could bring now. */
  public List<SimulatedMessage> visible() {
    return store.list(true, now());
  }

  /** The messages that are hidden now. */
  public List<SimulatedMessage> inFlight() {
    return store.list(false, now());
  }

  /** The messages that were received too often, in order. */
  public List<SimulatedMessage> deadLetters() {
    return store.deadLetters();
  }

  /** The ids of deleted messages, in order. */
  public List<String> deleted() {
    return store.deleted();
  }

  /** Whether no message is visible or in flight. */
  public boolean isEmpty() {
    return visible().isEmpty() && inFlight().isEmpty();
  }

  /** All calls, in the order of sending. */
  public List<SimulatedCall> calls() {
    return log.calls();
  }

  /** The calls of one kind, in the order of sending. */
  public List<SimulatedCall> calls(CallKind kind) {
    return log.calls(kind);
  }

  /** How many entries the calls of one kind had: messages that were received, extended, released or deleted. */
  public int entries(CallKind kind) {
    return log.entries(kind);
  }

  /**
   * The extensions and releases that were sent for a message that was not held by that receive any more. One that was sent
   * in time and arrived late is none, and neither is one for a message that its holder's delete has ended meanwhile.
   */
  public List<SimulatedCall> trespasses() {
    return log.calls().stream()
        .filter(call -> call.kind() == CallKind.EXTEND || call.kind() == CallKind.RELEASE)
        .filter(call -> call.entries().stream().anyMatch(SimulatedQueue::isTrespass))
        .toList();
  }

  private static boolean isTrespass(SimulatedCall.Entry entry) {
    boolean gone = entry.result().filter(EntryResult.Gone.class::isInstance).isPresent();
    return !entry.heldWhenSent() && !gone;
  }

  /** The calls that the port forbids, in words: too many entries, a receipt twice, a value outside its range. */
  public List<String> violations() {
    return log.violations();
  }

  String name() {
    return name;
  }

  QueueTraits traits() {
    return traits;
  }

  QueueAttributes attributes() {
    return new QueueAttributes(visibility, store.maxReceiveCount);
  }

  Duration receiveTimeout() {
    return receiveTimeout;
  }

  boolean isFull() {
    return store.inFlight(now()) >= inFlightLimit;
  }

  CallLog log() {
    return log;
  }

  Store store() {
    return store;
  }

  LongPolls polls() {
    return polls;
  }

  /** A call that is being sent, with what goes wrong with it. */
  <A> Exchange<A> exchange(SimulatedCall call) {
    log.add(call);
    return new Exchange<>(timing.scheduler(), faults.of(call), latency);
  }

  long now() {
    return timing.scheduler().time.elapsed();
  }

  private static void requireRange(String setting, Duration value, Duration least, Duration most) {
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw new IllegalArgumentException(setting + " = " + value + ": give " + least + " to " + most);
    }
  }
}
