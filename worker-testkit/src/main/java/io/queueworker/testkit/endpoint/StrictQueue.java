package io.queueworker.testkit.endpoint;

import io.queueworker.queue.MessageQueue;
import io.queueworker.testkit.SqsTestQueue;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueDoesNotExistException;

/**
 * A queue at the endpoint, with what a test does to it. Closing it deletes it; the endpoint's close does that too.
 *
 * <p>Its calls block on loopback I/O. Thread-safe.
 */
public final class StrictQueue implements SqsTestQueue {

  private final StrictSqs server;
  private final ServedQueue queue;
  private final Optional<StrictQueue> deadLetters;

  StrictQueue(StrictSqs server, ServedQueue queue, Optional<StrictQueue> deadLetters) {
    this.server = server;
    this.queue = queue;
    this.deadLetters = deadLetters;
  }

  @Override
  public String name() {
    return queue.name();
  }

  @Override
  public String url() {
    return queue.url;
  }

  @Override
  public SqsClient client() {
    return server.client();
  }

  @Override
  public MessageQueue connect() {
    return server.connect(url());
  }

  @Override
  public StrictQueue deadLetters() {
    return deadLetters.orElseThrow(
        () -> new IllegalStateException("queue " + name() + " has no dead-letter queue: give it a maxReceiveCount"));
  }

  /** The endpoint that it is on. */
  public StrictSqs server() {
    return server;
  }

  /** Makes the next call of this operation on this queue go wrong. */
  public ScriptedFault next(Operation operation, HttpFault fault) {
    return next(1, operation, fault);
  }

  /** Makes the next {@code times} calls of this operation on this queue go wrong. */
  public ScriptedFault next(int times, Operation operation, HttpFault fault) {
    return server.next(times, here(operation), fault);
  }

  /** Makes every call of this operation on this queue go wrong until the line is closed. */
  public ScriptedFault always(Operation operation, HttpFault fault) {
    return server.always(here(operation), fault);
  }

  private Predicate<EndpointCall> here(Operation operation) {
    return call -> call.operation() == operation && call.queue().equals(name());
  }

  /** The calls of one operation on this queue so far, in the order of arrival. */
  public List<EndpointCall> calls(Operation operation) {
    return server.calls().stream().filter(here(operation)).toList();
  }

  /** The changes of visibility on this queue that are {@linkplain EndpointCall#isTrespass trespasses}. */
  public List<EndpointCall> trespasses() {
    return calls(Operation.CHANGE_VISIBILITY).stream().filter(EndpointCall::isTrespass).toList();
  }

  /** The ids of deleted messages, in order; again for one that came back after its delete. */
  public List<String> deleted() {
    return server.withQueues(any -> queue.engine.deleted());
  }

  /** How many receives wait here for a message. */
  public int waitingReceives() {
    return server.withQueues(any -> queue.polls.waiting());
  }

  @Override
  public void close() {
    deadLetters.ifPresent(StrictQueue::close);
    try {
      client().deleteQueue(request -> request.queueUrl(url()));
    } catch (QueueDoesNotExistException alreadyDeletedByTheTest) {
      // That is what was wanted.
    }
  }

  @Override
  public String toString() {
    return "StrictQueue[" + name() + "]";
  }
}
