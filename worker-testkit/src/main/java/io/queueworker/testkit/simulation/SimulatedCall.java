package io.queueworker.testkit.simulation;

import io.queueworker.queue.EntryResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One call to a simulated queue, as the service saw it. It fills up while the call runs: its entries' results are there
 * once it has arrived.
 *
 * <p>Not thread-safe, and need not be: simulated threads run one at a time.
 */
public final class SimulatedCall {

  private final int number;
  private final CallKind kind;
  private final String machine;
  private final Duration decidedAt;
  private final int asked;
  private final Duration longPoll;
  private final List<Entry> entries = new ArrayList<>();
  private Duration sentAt;
  private Optional<Duration> arrivedAt = Optional.empty();
  private boolean answered;

  SimulatedCall(int number, CallKind kind, String machine, Duration decidedAt, int asked, Duration longPoll) {
    this.number = number;
    this.kind = kind;
    this.machine = machine;
    this.decidedAt = decidedAt;
    this.sentAt = decidedAt;
    this.asked = asked;
    this.longPoll = longPoll;
  }

  /**
   * One message of a call.
   *
   * @param messageId the message's id; empty when the receipt was never given out
   * @param receive the number of the receive that the receipt is from; for a receive, the one that this is
   * @param heldWhenDecided whether, when the worker made the call, the message was still hidden by that very receive
   * @param inTimeWhenDecided the same, or it would have been so had the message not been deleted or ended by its retention before
   * @param heldWhenSent whether, when the bytes of the call left, the message was still hidden by that very receive
   * @param held whether, when the call arrived, the message was still hidden by that very receive
   * @param visibility the visibility timeout asked for; zero for a delete
   * @param result what the service did; empty for a receive and for an entry whose call has not arrived
   */
  public record Entry(
      String messageId,
      int receive,
      boolean heldWhenDecided,
      boolean inTimeWhenDecided,
      boolean heldWhenSent,
      boolean held,
      Duration visibility,
      Optional<EntryResult> result) {

    Entry sent(boolean heldNow) {
      return new Entry(messageId, receive, heldWhenDecided, inTimeWhenDecided, heldNow, heldNow, visibility, result);
    }

    Entry arrived(boolean heldNow, EntryResult answer) {
      return new Entry(messageId, receive, heldWhenDecided, inTimeWhenDecided, heldWhenSent, heldNow, visibility,
          Optional.of(answer));
    }
  }

  /** Its place among all calls that workers made to the queue, from 1 on. */
  public int number() {
    return number;
  }

  /** What it asks for. */
  public CallKind kind() {
    return kind;
  }

  /** The name of the machine that sent it. */
  public String machine() {
    return machine;
  }

  /** When the worker made it, since the start of the simulation; {@link #sentAt} is later when its machine stood still then. */
  public Duration decidedAt() {
    return decidedAt;
  }

  /** When its bytes left, since the start of the simulation. */
  public Duration sentAt() {
    return sentAt;
  }

  /**
   * When it took effect, since the start of the simulation: for a receive, when messages were handed out, or it began to wait for
   * some; empty when it never arrived.
   */
  public Optional<Duration> arrivedAt() {
    return arrivedAt;
  }

  /** How many messages a receive asked for, or how many entries a batch has. */
  public int asked() {
    return asked;
  }

  /** How long a receive was ready to wait; zero for other calls. */
  public Duration longPoll() {
    return longPoll;
  }

  /** Its messages: those a receive brought, or those of a batch. */
  public List<Entry> entries() {
    return List.copyOf(entries);
  }

  /** The ids of its messages, in order. */
  public List<String> messageIds() {
    return entries.stream().map(Entry::messageId).toList();
  }

  void sent(Duration at) {
    sentAt = at;
  }

  /** Whether the caller of a batch got the service's answer to its entries. */
  public boolean isAnswered() {
    return answered;
  }

  void answered() {
    answered = true;
  }

  void arrived(Duration at) {
    arrivedAt = Optional.of(at);
  }

  void replaceEntries(List<Entry> known) {
    entries.clear();
    entries.addAll(known);
  }

  @Override
  public String toString() {
    return "#" + number + " " + kind + " by " + machine + " at " + sentAt + " " + entries;
  }
}
