package io.queueworker.receive;

import io.queueworker.receive.Pollers.Poller;
import java.time.Duration;

/**
 * What a receive that has come back says about the number of pollers and the next receive: how full it was tells whether
 * messages wait for more pollers, or come singly and are best gathered by one. Thread-safe.
 */
final class Gathering {

  /** Pollers that are always worth their threads when receives come back full: one works while the other waits for the service. */
  private static final int PAIR = 2;

  /**
   * Beside these another saves time when receives take this long. With quicker ones two pollers bring 4,000 messages a second and
   * more, and one more thread costs the others on its cores more than it brings (docs/performance.md).
   */
  private static final long SLOW = Duration.ofMillis(5).toNanos();

  private final int batch;
  private final long linger;

  /**
   * For receives of up to {@code batch} messages.
   *
   * @param linger how long messages gather after a receive that was not full; zero for not at all
   */
  Gathering(int batch, Duration linger) {
    this.batch = batch;
    this.linger = linger.toNanos();
  }

  /**
   * Whether messages wait for another poller: what gathered while this one lingered is no backlog, and beside two that
   * are answered at once another brings nothing.
   *
   * @param pollers how many there are
   * @param took nanoseconds that the receive took
   */
  boolean wantsAnother(Poller poller, int asked, int received, int pollers, long took) {
    return received == batch && asked == batch && !poller.lingered && (pollers < PAIR || took >= SLOW);
  }

  /**
   * Whether one poller fewer brings what there is: nearly nothing waited, or messages are to gather, which they do for one
   * poller alone. A receive that is half full may still have left a backlog: the service spreads a queue over many hosts.
   */
  boolean wantsOneLess(int asked, int received) {
    return received * 2 < asked || (linger > 0 && received < asked);
  }

  /**
   * How long this poller waits before its next receive, in nanoseconds: receives that are not full are {@code linger} apart. The
   * time counts from the sending, since what came while a receive waited for the first message has gathered as well. Remembers it
   * for {@link #wantsAnother}.
   *
   * @param took how long the receive took
   */
  long pause(Poller poller, int asked, int received, long took) {
    boolean lingers = linger > 0 && received > 0 && received < asked;
    poller.lingered = lingers;
    return lingers ? Math.max(0, linger - took) : 0;
  }
}
