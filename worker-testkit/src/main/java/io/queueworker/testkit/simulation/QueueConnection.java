package io.queueworker.testkit.simulation;

import io.queueworker.queue.EntryResult;
import io.queueworker.queue.MessageQueue;
import io.queueworker.queue.OutgoingMessage;
import io.queueworker.queue.QueueAttributes;
import io.queueworker.queue.QueueException;
import io.queueworker.queue.QueueTraits;
import io.queueworker.queue.Receipt;
import io.queueworker.queue.ReceiveRequest;
import io.queueworker.queue.ReceivedMessage;
import io.queueworker.queue.SendResult;
import io.queueworker.queue.VisibilityChange;
import io.queueworker.testkit.engine.EngineException;
import io.queueworker.testkit.engine.NewMessage;
import io.queueworker.testkit.engine.ReceiptState;
import io.queueworker.testkit.engine.Ruling;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** A simulated queue as one machine reaches it. Not thread-safe: used by the thread that holds the baton. */
final class QueueConnection implements MessageQueue {

  private static final Duration ATTRIBUTES_TIMEOUT = Duration.ofSeconds(5);

  private final SimulatedQueue queue;
  private final SimulatedMachine machine;
  private boolean closed;

  QueueConnection(SimulatedQueue queue, SimulatedMachine machine) {
    this.queue = queue;
    this.machine = machine;
  }

  /** One entry of a batch: a receipt and what to do with it. */
  private record Order(Receipt receipt, Duration visibility) {}

  @Override
  public String name() {
    return queue.name();
  }

  @Override
  public QueueTraits traits() {
    return queue.traits();
  }

  @Override
  public QueueAttributes attributes() {
    Exchange<QueueAttributes> exchange = queue.exchange(call(CallKind.ATTRIBUTES, 0, Duration.ZERO));
    return exchange.send(request -> request.answer(queue.attributes()), ATTRIBUTES_TIMEOUT);
  }

  @Override
  public List<ReceivedMessage> receive(ReceiveRequest request) {
    QueueTraits traits = queue.traits();
    Duration asked = request.visibility();
    require(request.max() >= 1 && request.max() <= traits.maxBatch(), "receive of " + request.max() + " messages");
    requireWithin("long poll", request.longPoll(), Duration.ZERO, traits.maxWait());
    require(asked == null || traits.receiveVisibility(),
        "receive with a visibility timeout, which this service knows not");
    if (asked != null) {
      requireWithin("visibility", wholeSeconds(asked), Duration.ZERO, traits.largestVisibility());
    }
    SimulatedCall call = call(CallKind.RECEIVE, request.max(), request.longPoll());
    Exchange<List<ReceivedMessage>> exchange = queue.exchange(call);
    return exchange.send(
        arrived -> {
          call.arrived(Duration.ofNanos(queue.now()));
          Duration visibility = wholeSeconds(asked == null ? queue.attributes().visibility() : asked);
          take(request, visibility, call, arrived);
        },
        request.longPoll().plus(queue.receiveTimeout()));
  }

  private void take(
      ReceiveRequest request, Duration visibility, SimulatedCall call, Exchange<List<ReceivedMessage>> arrived) {
    try {
      queue.polls().receive(
          request.max(),
          visibility.toNanos(),
          request.longPoll().toNanos(),
          Optional.empty(),
          taken -> {
            // What a long poll brings is handed out at its end.
            call.arrived(Duration.ofNanos(queue.now()));
            call.replaceEntries(taken.stream().map(message -> describe(message.receipt(), visibility)).toList());
            arrived.answer(
                taken.stream().map(message -> Answers.received(message, SimulatedMachine.START)).toList());
          });
    } catch (EngineException refused) {
      arrived.fail(Answers.failure(refused.error()));
    }
  }

  @Override
  public List<EntryResult> extend(List<VisibilityChange> batch, Duration timeout) {
    return change(CallKind.EXTEND, batch, Duration.ofSeconds(1), timeout);
  }

  @Override
  public List<EntryResult> release(List<VisibilityChange> batch, Duration timeout) {
    return change(CallKind.RELEASE, batch, queue.traits().smallestDelay(), timeout);
  }

  private List<EntryResult> change(CallKind kind, List<VisibilityChange> batch, Duration least, Duration timeout) {
    List<Order> orders = new ArrayList<>();
    for (VisibilityChange change : batch) {
      Duration visibility = wholeSeconds(change.visibility());
      requireWithin(kind + " to", visibility, least, queue.traits().largestVisibility());
      orders.add(new Order(change.receipt(), visibility));
    }
    return batch(
        kind,
        orders,
        queue.traits().maxVisibilityBatch(),
        timeout,
        order -> queue.engine().changeVisibility(
            order.receipt().value(), order.visibility().toSeconds(), queue.now()));
  }

  @Override
  public List<EntryResult> delete(List<Receipt> batch, Duration timeout) {
    return batch(
        CallKind.DELETE,
        batch.stream().map(receipt -> new Order(receipt, Duration.ZERO)).toList(),
        queue.traits().maxBatch(),
        timeout,
        order -> queue.engine().delete(order.receipt().value(), queue.now()));
  }

  private List<EntryResult> batch(
      CallKind kind, List<Order> orders, int most, Duration timeout, Function<Order, Ruling> effect) {
    require(orders.size() <= most, kind + " of " + orders.size() + " entries; one call takes at most " + most);
    require(orders.stream().map(Order::receipt).distinct().count() == orders.size(), kind + " with a receipt twice");
    if (orders.isEmpty()) {
      return List.of();
    }
    if (timeout.isNegative() || timeout.isZero()) {
      return repeated(new EntryResult.Retryable("not sent: no time is left for the call"), orders.size());
    }
    SimulatedCall call = call(kind, orders.size(), Duration.ZERO);
    call.replaceEntries(orders.stream().map(order -> describe(order)).toList());
    Exchange<List<EntryResult>> exchange = queue.exchange(call);
    call.replaceEntries(sent(call, orders));
    try {
      List<EntryResult> results =
          exchange.send(arrived -> arrived.answer(act(call, orders, effect, exchange)), timeout);
      call.answered();
      return results;
    } catch (QueueException failed) {
      return repeated(
          failed.kind() == QueueException.Kind.DENIED
              ? new EntryResult.Denied(failed.deniedAction().orElse(kind.permission()))
              : new EntryResult.Retryable("" + failed.getMessage()),
          orders.size());
    }
  }

  private List<SimulatedCall.Entry> sent(SimulatedCall call, List<Order> orders) {
    List<SimulatedCall.Entry> entries = new ArrayList<>();
    for (int i = 0; i < orders.size(); i++) {
      entries.add(call.entries().get(i).sent(describe(orders.get(i)).held()));
    }
    return entries;
  }

  private List<EntryResult> act(
      SimulatedCall call, List<Order> orders, Function<Order, Ruling> effect, Exchange<?> exchange) {
    call.arrived(Duration.ofNanos(queue.now()));
    List<EntryResult> results = new ArrayList<>();
    List<SimulatedCall.Entry> entries = new ArrayList<>();
    for (int i = 0; i < orders.size(); i++) {
      Order order = orders.get(i);
      SimulatedCall.Entry sent = call.entries().get(i);
      boolean held = describe(order).held();
      EntryResult result =
          exchange.fault().answerFor(sent.messageId()).orElseGet(() -> Answers.result(effect.apply(order)));
      results.add(result);
      entries.add(sent.arrived(held, result));
    }
    call.replaceEntries(entries);
    return results;
  }

  @Override
  public SendResult send(OutgoingMessage message, Duration timeout) {
    if (timeout.isNegative() || timeout.isZero()) {
      return new SendResult.Retryable("not sent: no time is left for the call");
    }
    SimulatedCall call = call(CallKind.SEND, 1, Duration.ZERO);
    Exchange<SendResult> exchange = queue.exchange(call);
    try {
      SendResult result = exchange.send(arrived -> arrived.answer(take(message, call)), timeout);
      call.answered();
      return result;
    } catch (QueueException failed) {
      return failed.kind() == QueueException.Kind.DENIED
          ? new SendResult.Denied(failed.deniedAction().orElse(CallKind.SEND.permission()))
          : new SendResult.Retryable("" + failed.getMessage());
    }
  }

  private SendResult take(OutgoingMessage message, SimulatedCall call) {
    call.arrived(Duration.ofNanos(queue.now()));
    try {
      String id =
          queue.send(
              new NewMessage(
                  message.body(), message.attributes(), message.group(), message.deduplicationId(), Optional.empty(),
                  message.traceHeader()))
              .id();
      call.replaceEntries(
          List.of(new SimulatedCall.Entry(id, 0, false, false, false, false, Duration.ZERO, Optional.empty())));
      return new SendResult.Sent(id);
    } catch (EngineException refused) {
      return new SendResult.Refused(refused.error().code() + ": " + refused.error().message());
    }
  }

  @Override
  public Optional<MessageQueue> deadLetters() {
    attributes();
    return queue.deadLetterQueue().map(target -> target.connect(machine));
  }

  @Override
  public void close() {
    closed = true;
  }

  private SimulatedCall.Entry describe(Order order) {
    return describe(order.receipt().value(), order.visibility());
  }

  private SimulatedCall.Entry describe(String receipt, Duration visibility) {
    ReceiptState state = queue.engine().describe(receipt, queue.now());
    boolean held = state.held();
    return new SimulatedCall.Entry(
        state.messageId(), state.receive(), held, state.inTime(), held, held, visibility, Optional.empty());
  }

  private SimulatedCall call(CallKind kind, int asked, Duration longPoll) {
    require(!closed, kind + " after close()");
    require(!Thread.currentThread().isInterrupted(),
        kind + " on the interrupted thread " + Thread.currentThread().getName());
    Duration decidedAt = Duration.ofNanos(queue.now());
    return new SimulatedCall(queue.log().nextNumber(), kind, machine.name(), decidedAt, asked, longPoll);
  }

  private void require(boolean allowed, String what) {
    queue.log().require(allowed, name() + " from " + machine.name() + ": " + what);
  }

  private void requireWithin(String what, Duration value, Duration least, Duration most) {
    require(
        value.compareTo(least) >= 0 && value.compareTo(most) <= 0,
        what + " " + value + "; the service takes " + least + " to " + most);
  }

  private static Duration wholeSeconds(Duration value) {
    return value.getNano() == 0 ? value : Duration.ofSeconds(value.getSeconds() + 1);
  }

  private static List<EntryResult> repeated(EntryResult result, int times) {
    return Collections.nCopies(times, result);
  }
}
