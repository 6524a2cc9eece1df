package io.queueworker.lease;

import io.queueworker.queue.Receipt;
import io.queueworker.queue.ReceivedMessage;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** What the registry of leases costs when it has 100,000. One thread. */
@State(Scope.Benchmark)
public class LeaseRegistryBench {

  private static final int LEASES = 100_000;
  private static final Duration VISIBILITY = Duration.ofMinutes(2);
  private static final int PAGE = 1_000;

  /** A prime, so that one lease after another is far from the one before. */
  private static final int STRIDE = 40_009;

  private final LeaseTerms terms =
      LeaseTerms.of(
          VISIBILITY, Optional.of(Duration.ofHours(12)), Duration.ofHours(11), Duration.ofHours(1), Optional.empty(),
          true);
  private final LeaseRegistry registry = new LeaseRegistry();
  private final Lease[] leases = new Lease[LEASES];
  private int next;

  /** Fills it with leases whose beats are spread over the interval. */
  @Setup
  public void fill() {
    for (int i = 0; i < LEASES; i++) {
      leases[i] = lease(i);
      registry.schedule(leases[i]);
    }
  }

  private Lease lease(int number) {
    long startedAt = terms.interval() / LEASES * number;
    ReceivedMessage message =
        new ReceivedMessage(
            "message-" + number,
            new Receipt("receipt-" + number),
            "",
            Map.of(),
            1,
            Optional.empty(),
            Optional.empty(),
            Map.of());
    return new Lease(message, () -> terms, terms.visibility(), startedAt, startedAt);
  }

  private Lease another() {
    next = (next + STRIDE) % LEASES;
    return leases[next];
  }

  /** Looks whether a lease has to move, when it has not, as mostly when a handler starts. */
  @Benchmark
  public void reschedule() {
    registry.reschedule(another());
  }

  /** Takes a lease out and in again, as for each message. */
  @Benchmark
  public void removeAndAdd() {
    Lease lease = another();
    registry.remove(lease);
    registry.schedule(lease);
  }

  /** Looks for what is due when nothing is, as at most ticks. */
  @Benchmark
  public List<Lease> nothingDue() {
    return registry.due(0, PAGE);
  }

  /** Looks for what is due when a page full of leases is. */
  @Benchmark
  public List<Lease> aThousandDue() {
    return registry.due(terms.visibility(), PAGE);
  }
}
