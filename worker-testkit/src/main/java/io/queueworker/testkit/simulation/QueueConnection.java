package io.queueworker.testkit.simulation;

import io.queueworker.queue.EntryResult;
import io.queueworker.queue.MessageQueue;
import io.queueworker.queue.QueueAttributes;
import io.queueworker.queue.QueueException;
import io.queueworker.queue.QueueTraits;
import io.queueworker.queue.Receipt;
import io.queueworker.queue.ReceiveRequest;
import io.queueworker.queue.ReceivedMessage;
import io.queueworker.queue.VisibilityChange;
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
          long visibility = wholeSeconds(asked == null ? queue.attributes().visibility() : asked).toNanos();
          if (queue.isFull()) {
            refuseFull(arrived, request.longPoll());
          } else {
            queue.polls().receive(request.max(), visibility, request.longPoll().toNanos(), taken -> {
              call.replaceEntries(taken.stream().map(m -> brought(m, Duration.ofNanos(visibility))).toList());
              arrived.answer(taken);
            });
          }
        },
        request.longPoll().plus(queue.receiveTimeout()));
  }

  /** Too many in flight: a short poll is told so, a long one gets nothing (docs/queue-facts.md A5). */
  private void refuseFull(Exchange<List<ReceivedMessage>> arrived, Duration longPoll) {
    if (longPoll.isZero()) {
      arrived.fail(
          QueueException.of(QueueException.Kind.OVER_LIMIT, "too many messages of " + name() + " in flight", null));
    } else {
      machine.scheduler().time.after(longPoll.toNanos(), () -> arrived.answer(List.of()));
    }
  }

  private SimulatedCall.Entry brought(ReceivedMessage message, Duration visibility) {
    return queue.store().describe(message.receipt(), visibility, queue.now());
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
        "sqs:ChangeMessageVisibility",
        order -> queue.store().changeVisibility(order.receipt(), order.visibility(), queue.now()));
  }

  @Override
  public List<EntryResult> delete(List<Receipt> batch, Duration timeout) {
    return batch(
        CallKind.DELETE,
        batch.stream().map(receipt -> new Order(receipt, Duration.ZERO)).toList(),
        queue.traits().maxBatch(),
        timeout,
        "sqs:DeleteMessage",
        order -> queue.store().delete(order.receipt(), queue.now()));
  }

  private List<EntryResult> batch(
      CallKind kind, List<Order> orders, int most, Duration timeout, String action,
      Function<Order, EntryResult> effect) {
    require(orders.size() <= most, kind + " of " + orders.size() + " entries; one call takes at most " + most);
    require(orders.stream().map(Order::receipt).distinct().count() == orders.size(), kind + " with a receipt twice");
    if (orders.isEmpty()) {
      return List.of();
    }
    if (timeout.isNegative() || timeout.isZero()) {
      return repeated(new EntryResult.Retryable("not sent: no time is left for the call"), orders.size());
    }
    SimulatedCall call = call(kind, orders.size(), Duration.ZERO);
    call.replaceEntries(orders.stream().map(o -> describe(o)).toList());
    Exchange<List<EntryResult>> exchange = queue.exchange(call);
    try {
      return exchange.send(arrived -> arrived.answer(act(call, orders, effect, exchange)), timeout);
    } catch (QueueException failed) {
      return repeated(
          failed.kind() == QueueException.Kind.DENIED
              ? new EntryResult.Denied(failed.deniedAction().orElse(action))
              : new EntryResult.Retryable("" + failed.getMessage()),
          orders.size());
    }
  }

  private List<EntryResult> act(
      SimulatedCall call, List<Order> orders, Function<Order, EntryResult> effect, Exchange<?> exchange) {
    call.arrived(Duration.ofNanos(queue.now()));
    List<EntryResult> results = new ArrayList<>();
    List<SimulatedCall.Entry> entries = new ArrayList<>();
    for (int i = 0; i < orders.size(); i++) {
      Order order = orders.get(i);
      SimulatedCall.Entry before = describe(order);
      boolean heldWhenSent = call.entries().get(i).heldWhenSent();
      EntryResult result = exchange.fault().answerFor(before.messageId()).orElseGet(() -> effect.apply(order));
      results.add(result);
      entries.add(
          new SimulatedCall.Entry(
              before.messageId(), before.receive(), heldWhenSent, before.held(), order.visibility(),
              Optional.of(result)));
    }
    call.replaceEntries(entries);
    queue.polls().serve();
    return results;
  }

  @Override
  public void close() {
    closed = true;
  }

  private SimulatedCall.Entry describe(Order order) {
    return queue.store().describe(order.receipt(), order.visibility(), queue.now());
  }

  private SimulatedCall call(CallKind kind, int asked, Duration longPoll) {
    require(!closed, kind + " after close()");
    require(!Thread.currentThread().isInterrupted(),
        kind + " on the interrupted thread " + Thread.currentThread().getName());
    Duration sentAt = Duration.ofNanos(queue.now());
    return new SimulatedCall(queue.log().nextNumber(), kind, machine.name(), sentAt, asked, longPoll);
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
