package io.queueworker.testkit.simulation;

import io.queueworker.queue.MessageQueue;
import io.queueworker.queue.QueueAttributes;
import io.queueworker.queue.QueueTraits;
import io.queueworker.testkit.engine.LongPolls;
import io.queueworker.testkit.engine.NewMessage;
import io.queueworker.testkit.engine.QueueEngine;
import io.queueworker.testkit.engine.QueueSettings;
import io.queueworker.testkit.engine.QueuedMessage;
import io.queueworker.testkit.engine.SentMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

  private final SimulatedTiming timing;
  private final QueueTraits traits;
  private final QueueEngine engine;
  private final LongPolls polls;
  private final Redrive redrive;
  private final CallLog log = new CallLog();
  private final Faults faults = new Faults();
  private Duration receiveTimeout = Duration.ofSeconds(10);
  private Exchange.Latency latency =
      new Exchange.Latency(Duration.ofMillis(1).toNanos(), Duration.ofMillis(5).toNanos());

  SimulatedQueue(SimulatedTiming timing, QueueEngine engine, QueueTraits traits) {
    this.timing = timing;
    this.traits = traits;
    this.engine = engine;
    this.redrive = new Redrive(timing, engine, traits);
    this.polls = new LongPolls(engine, new VirtualAlarm(timing.scheduler().time));
  }

  /** A queue with the rules of a standard Amazon SQS queue: visibility timeout 30 s, no redrive policy. */
  public static SimulatedQueue standard(SimulatedTiming timing, String name) {
    return new SimulatedQueue(timing, QueueEngine.standard(name, timing.scheduler().draws), Traits.STANDARD);
  }

  /**
   * A queue with the rules of an Amazon SQS FIFO queue: order inside message groups, no message behind an invisible one of its
   * group, deduplication for five minutes, and receipts whose time ran out are refused. Visibility timeout 30 s, no redrive
   * policy.
   *
   * @param name ends in {@code .fifo}
   */
  public static SimulatedQueue fifo(SimulatedTiming timing, String name) {
    return new SimulatedQueue(timing, QueueEngine.fifo(name, timing.scheduler().draws), Traits.FIFO);
  }

  /**
   * A queue with the rules of an Alibaba Cloud SMQ queue: each extension gives a new receipt and ends the old one, there
   * is no batch extension and no delay below a second, receipts whose time ran out are refused, and a receive cannot set
   * its own visibility timeout.
   */
  public static SimulatedQueue smqLike(SimulatedTiming timing, String name) {
    return new SimulatedQueue(timing, QueueEngine.smqLike(name, timing.scheduler().draws), Traits.SMQ);
  }

  /**
   * The settings that the other methods do not name: delay, retention, deduplication, and how badly the service behaves with
   * duplicates, partial receives and redeliveries after a delete.
   */
  public QueueSettings settings() {
    return engine.settings();
  }

  /** Sets the queue's own visibility timeout, one second to 12 hours; 30 seconds unless set. */
  public SimulatedQueue visibility(Duration timeout) {
    Traits.requireRange("visibility", timeout, Duration.ofSeconds(1), traits.largestVisibility());
    engine.settings().visibility(timeout);
    return this;
  }

  /** Sets after how many receives a message becomes a dead letter, 1 to 1,000; never unless set. */
  public SimulatedQueue maxReceiveCount(int receives) {
    redrive.set(receives);
    return this;
  }

  /** Sets after how many receives a message is moved to {@code deadLetterQueue}, a queue of the same kind. */
  public SimulatedQueue redrive(int receives, SimulatedQueue deadLetterQueue) {
    redrive.set(receives, deadLetterQueue);
    return this;
  }

  /** Sets how long each way of a call takes, drawn from the seed between both; 1 ms to 5 ms unless set. */
  public SimulatedQueue latency(Duration least, Duration most) {
    Traits.requireRange("latency from", least, Duration.ZERO, most);
    this.latency = new Exchange.Latency(least.toNanos(), most.toNanos());
    return this;
  }

  /** Sets how long beyond its long poll a client waits for the answer to a receive; 10 seconds unless set. */
  public SimulatedQueue receiveTimeout(Duration beyondLongPoll) {
    Traits.requireRange("receiveTimeout", beyondLongPoll, Duration.ofMillis(1), Duration.ofDays(1));
    this.receiveTimeout = beyondLongPoll;
    return this;
  }

  /** Sets how many messages may be in flight before receives bring none; 120,000 unless set. */
  public SimulatedQueue inFlightLimit(int messages) {
    engine.settings().inFlightLimit(messages);
    return this;
  }

  /** Makes receives bring visible messages in an order drawn from the seed, instead of in the order of sending. */
  public SimulatedQueue anyOrder() {
    engine.settings().anyOrder(true);
    return this;
  }

  /** Lets {@code plan} decide what goes wrong with every call of this kind from now on. */
  public SimulatedQueue onCall(CallKind kind, Function<SimulatedCall, Fault> plan) {
    faults.plan(kind, plan);
    return this;
  }

  /**
   * Lets this go wrong with the next call of the kind; further ones queue up. Goes before {@link #onCall}. Failing entries
   * wait for a batch in which one of them fails.
   */
  public SimulatedQueue nextCall(CallKind kind, Fault fault) {
    faults.once(kind, fault);
    return this;
  }

  /** How many faults of {@link #nextCall} no call has met yet: a test that ends with one left has not shown what it meant to. */
  public int faultsLeft() {
    return faults.left();
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
    return send(NewMessage.of(body).withTexts(attributes)).id();
  }

  /**
   * Puts a message on a FIFO queue at once and gives back its id, or the id of the message that it repeats.
   *
   * @param group the message group
   * @param deduplicationId what the queue recognises a repetition by, for five minutes
   */
  public String send(String body, String group, String deduplicationId) {
    return send(NewMessage.of(body).inGroup(group).deduplicatedBy(deduplicationId)).id();
  }

  /** Puts a message with everything a sender can give on the queue at once. */
  public SentMessage send(NewMessage message) {
    return engine.send(message, now());
  }

  /** Puts messages on the queue at once, in order, and gives back their ids. */
  public List<String> sendAll(List<String> bodies) {
    List<String> ids = new ArrayList<>();
    bodies.forEach(body -> ids.add(send(body)));
    return ids;
  }

  /** The messages that nothing hides now; on a FIFO queue also those that wait for their group. */
  public List<SimulatedMessage> visible() {
    return engine.list(true, now()).stream().map(Answers::view).toList();
  }

  /** The messages that are hidden now, by a receive or by a delay. */
  public List<SimulatedMessage> inFlight() {
    return engine.list(false, now()).stream().map(Answers::view).toList();
  }

  /** The messages on the dead-letter queue, moved there or sent, in order; none when there is no such queue. */
  public List<SimulatedMessage> deadLetters() {
    return deadLetterQueue().stream().flatMap(queue -> queue.stored().stream()).map(Answers::view).toList();
  }

  /** All messages, in the order of sending, with the types of their attributes and their groups. */
  public List<QueuedMessage> stored() {
    return engine.list(now());
  }

  /** The dead-letter queue, with calls, faults and settings of its own. */
  public Optional<SimulatedQueue> deadLetterQueue() {
    return redrive.target();
  }

  /** The ids of deleted messages, in order. */
  public List<String> deleted() {
    return engine.deleted();
  }

  /** Whether it has no message, visible, delayed or in flight. */
  public boolean isEmpty() {
    return visible().isEmpty() && inFlight().isEmpty();
  }

  /** All calls that were sent, in the order in which workers made them. */
  public List<SimulatedCall> calls() {
    return log.calls();
  }

  /** The calls of one kind that were sent, in the order in which workers made them. */
  public List<SimulatedCall> calls(CallKind kind) {
    return log.calls(kind);
  }

  /** How many entries the calls of one kind had: messages that were received, extended, released or deleted. */
  public int entries(CallKind kind) {
    return log.entries(kind);
  }

  /**
   * The extensions and releases for a message not held by that receive any more when the worker made the call. None is one that
   * was made in time and came late, or that only a delete, the retention or such a late call of an earlier holder came before.
   */
  public List<SimulatedCall> trespasses() {
    return Trespasses.in(log.calls());
  }

  /** The calls that the port forbids, in words: too many entries, a receipt twice, a value outside its range. */
  public List<String> violations() {
    return log.violations();
  }

  /** Its name. */
  public String name() {
    return engine.name();
  }

  QueueTraits traits() {
    return traits;
  }

  QueueAttributes attributes() {
    return new QueueAttributes(
        engine.settings().visibility(), engine.settings().maxReceiveCount(),
        deadLetterQueue().map(SimulatedQueue::name),
        Optional.of(engine.counts(now())));
  }

  Duration receiveTimeout() {
    return receiveTimeout;
  }

  CallLog log() {
    return log;
  }

  QueueEngine engine() {
    return engine;
  }

  LongPolls polls() {
    return polls;
  }

  /** A call that is about to be sent, with what goes wrong with it. Does not return when its machine dies before. */
  <A> Exchange<A> exchange(SimulatedCall call) {
    log.add(call);
    Exchange<A> exchange = new Exchange<>(timing.scheduler(), faults.of(call), latency);
    if (exchange.isNeverSent()) {
      log.remove(call);
    }
    exchange.approach();
    call.sent(Duration.ofNanos(now()));
    return exchange;
  }

  long now() {
    return timing.scheduler().time.elapsed();
  }

}
