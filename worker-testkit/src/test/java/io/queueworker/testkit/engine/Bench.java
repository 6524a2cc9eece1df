package io.queueworker.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** An engine with a clock that a test moves by hand, and short words for its calls. */
final class Bench {

  final QueueEngine engine;
  long now;
  private int dedup;

  private Bench(QueueEngine engine) {
    this.engine = engine;
  }

  static Bench standard() {
    return standard(1);
  }

  static Bench standard(long seed) {
    return new Bench(QueueEngine.standard("orders", new SplittableRandom(seed)));
  }

  static Bench fifo() {
    return fifo(1);
  }

  static Bench fifo(long seed) {
    return new Bench(QueueEngine.fifo("orders.fifo", new SplittableRandom(seed)));
  }

  static Bench smq() {
    return new Bench(QueueEngine.smqLike("orders", new SplittableRandom(1)));
  }

  /** Another queue with the same clock. */
  Bench with(QueueEngine other) {
    Bench bench = new Bench(other);
    bench.now = now;
    return bench;
  }

  void pass(Duration length) {
    now += length.toNanos();
  }

  void passSeconds(long seconds) {
    pass(Duration.ofSeconds(seconds));
  }

  String send(String body) {
    return engine.send(NewMessage.of(body), now).id();
  }

  /** Sends to a group, never as a repetition. */
  String send(String body, String group) {
    return engine.send(NewMessage.of(body).inGroup(group).deduplicatedBy("own-" + ++dedup), now).id();
  }

  List<HandedOut> take(int max) {
    return take(max, engine.settings().visibility());
  }

  List<HandedOut> take(int max, Duration visibility) {
    return engine.receive(max, visibility.toNanos(), now, now, Optional.empty());
  }

  List<HandedOut> take(int max, String attemptId) {
    long visibility = engine.settings().visibility().toNanos();
    return engine.receive(max, visibility, now, now, Optional.of(attemptId));
  }

  /** Receives one message, which must be there. */
  HandedOut one() {
    List<HandedOut> taken = take(1);
    assertThat(taken).as("a message that can be received").hasSize(1);
    return taken.get(0);
  }

  List<String> bodies(int max) {
    return take(max).stream().map(HandedOut::body).toList();
  }

  Ruling change(HandedOut message, long seconds) {
    return engine.changeVisibility(message.receipt(), seconds, now);
  }

  Ruling delete(HandedOut message) {
    return engine.delete(message.receipt(), now);
  }

  List<String> visible() {
    return engine.list(true, now).stream().map(QueuedMessage::body).toList();
  }

  List<String> hidden() {
    return engine.list(false, now).stream().map(QueuedMessage::body).toList();
  }

  boolean holds(HandedOut message) {
    return engine.describe(message.receipt(), now).held();
  }

  /** The refusal's reason, code and words, with {@code <h>} for the receipt handle. */
  static void assertRefused(Ruling ruling, HandedOut message, EngineError.Reason reason, String code, String words) {
    assertThat(ruling).isInstanceOf(Ruling.Refused.class);
    EngineError error = ((Ruling.Refused) ruling).error();
    assertThat(error.reason()).isEqualTo(reason);
    assertThat(error.code()).isEqualTo(code);
    assertThat(error.message().replace(message.receipt(), "<h>")).isEqualTo(words);
    assertThat(error.senderFault()).isTrue();
  }

  static void assertExpired(Ruling ruling, HandedOut message) {
    assertRefused(
        ruling,
        message,
        EngineError.Reason.RECEIPT_EXPIRED,
        "InvalidParameterValue",
        "Value <h> for parameter ReceiptHandle is invalid. Reason: The receipt handle has expired.");
  }

  static void assertGone(Ruling ruling, HandedOut message) {
    assertRefused(
        ruling,
        message,
        EngineError.Reason.MESSAGE_GONE,
        "InvalidParameterValue",
        "Value <h> for parameter ReceiptHandle is invalid. Reason: Message does not exist or is not available for"
            + " visibility timeout change.");
  }

  static void assertDone(Ruling ruling) {
    assertThat(ruling).isInstanceOf(Ruling.Done.class);
  }

  static void assertWithoutEffect(Ruling ruling) {
    assertThat(ruling).isInstanceOf(Ruling.WithoutEffect.class);
  }
}
