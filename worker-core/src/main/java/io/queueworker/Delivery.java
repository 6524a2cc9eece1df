package io.queueworker;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One message as one handler run sees it, with the lease under which it works.
 *
 * <p>Thread-safe: a handler may hand it to threads of its own. None of its methods blocks.
 *
 * @param <T> what the body decodes to
 */
public interface Delivery<T> {

  /** The decoded body. */
  T body();

  /** The service's message id. */
  String id();

  /** The sender's attributes; binary ones as Base64. Unmodifiable. */
  Map<String, String> attributes();

  /** How often the service counts the message as received, at least 1. Approximate: not for correctness. */
  int receiveCount();

  /** When the service took the message in, if it said so. */
  Optional<Instant> sentAt();

  /** The message group, if the sender set one. */
  Optional<String> group();

  /** How long the message is still surely ours unless the heartbeat extends it; zero when it is not. */
  Duration remaining();

  /** Whether the message is still surely ours, by this machine's clock. */
  boolean isHeld();

  /**
   * Ends the run when the message is not ours any more.
   *
   * @throws LeaseLostException when {@link #isHeld()} is false
   */
  void checkHeld();

  /**
   * Calls {@code action} once when the lease is lost, at once if it is already. It runs on a pool that is for such
   * actions alone, not on the handler's thread; what it throws is logged. While 10,000 actions wait because others hang, and
   * after the worker has closed, it does not run, which is logged too.
   */
  void onLost(Consumer<LossReason> action);

  /**
   * Asks for the message to stay hidden for at least {@code duration} from now, beyond what the heartbeat would ask for.
   * Returns at once; the next beat sends it. Clamped to 12 hours and to what the service's cap and {@code maxHold} leave. A
   * shorter time than is left already, or than was asked for before, changes nothing.
   *
   * @throws IllegalArgumentException when {@code duration} is not above zero
   */
  void extendTo(Duration duration);

  /** Tells that the work moves on, for a worker with a {@code stallTimeout}. */
  void progress();
}
