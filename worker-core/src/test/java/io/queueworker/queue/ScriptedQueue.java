package io.queueworker.queue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** A queue that notes its calls and answers each entry as a test says, with success at first. For one thread. */
public final class ScriptedQueue implements MessageQueue {

  /** What can be asked of SQS. */
  public static final QueueTraits SQS =
      new QueueTraits(
          10, Duration.ofSeconds(20), Duration.ZERO, Duration.ofHours(12), Optional.of(Duration.ofHours(12)), true,
          false, true, false, false);

  /** The calls so far, in order. */
  public final List<Call> calls = new ArrayList<>();

  /** The answer to each entry; throwing fails the call. */
  public Function<Receipt, EntryResult> answer = EntryResult.Done::new;

  /** What a call gives back, of the answers to its entries. */
  public Function<List<EntryResult>, List<EntryResult>> answers = results -> results;

  private final QueueTraits traits;

  /** A queue that can do this. */
  public ScriptedQueue(QueueTraits traits) {
    this.traits = traits;
  }

  /** One call: its kind, its receipts, the visibility asked for each (none in a delete) and the time it may take. */
  public record Call(String kind, List<String> receipts, List<Duration> visibilities, Duration timeout) {}

  @Override
  public String name() {
    return "scripted";
  }

  @Override
  public QueueTraits traits() {
    return traits;
  }

  @Override
  public QueueAttributes attributes() {
    throw new UnsupportedOperationException("nobody asks");
  }

  @Override
  public List<ReceivedMessage> receive(ReceiveRequest request) {
    throw new UnsupportedOperationException("nobody asks");
  }

  @Override
  public List<EntryResult> extend(List<VisibilityChange> batch, Duration timeout) {
    return change("extend", batch, timeout);
  }

  @Override
  public List<EntryResult> release(List<VisibilityChange> batch, Duration timeout) {
    return change("release", batch, timeout);
  }

  @Override
  public List<EntryResult> delete(List<Receipt> batch, Duration timeout) {
    return call("delete", batch, List.of(), timeout);
  }

  private List<EntryResult> change(String kind, List<VisibilityChange> batch, Duration timeout) {
    return call(
        kind, batch.stream().map(VisibilityChange::receipt).toList(),
        batch.stream().map(VisibilityChange::visibility).toList(), timeout);
  }

  private List<EntryResult> call(String kind, List<Receipt> receipts, List<Duration> visibilities, Duration timeout) {
    calls.add(new Call(kind, receipts.stream().map(Receipt::value).toList(), visibilities, timeout));
    return answers.apply(receipts.stream().map(answer).toList());
  }

  @Override
  public SendResult send(OutgoingMessage message, Duration timeout) {
    throw new UnsupportedOperationException("nobody sends");
  }

  @Override
  public Optional<MessageQueue> deadLetters() {
    return Optional.empty();
  }

  @Override
  public void close() {}
}
