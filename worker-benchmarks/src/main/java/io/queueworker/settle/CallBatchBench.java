package io.queueworker.settle;

import io.queueworker.lease.Lease;
import io.queueworker.lease.LeaseTerms;
import io.queueworker.queue.Receipt;
import io.queueworker.queue.ReceivedMessage;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What it costs to gather ten deletes into a call. One thread. */
@State(Scope.Benchmark)
public class CallBatchBench {

  private static final int BATCH = 10;

  private final LeaseTerms terms =
      LeaseTerms.of(
          Duration.ofSeconds(30),
          Optional.of(Duration.ofHours(12)),
          Duration.ofHours(11),
          Duration.ofHours(1),
          Optional.empty(),
          true);
  private final Lease lease =
      new Lease(
          new ReceivedMessage(
              "message", new Receipt("receipt"), "", Map.of(), 1, Optional.empty(), Optional.empty(), Map.of()),
          () -> terms,
          terms.visibility(),
          0,
          0);
  private final CallBatch deletes = new CallBatch(BATCH, Duration.ofMillis(100).toNanos());

  /** Ten settlements, and the call that they fill. */
  @Benchmark
  public List<Settlement> tenDeletes() {
    for (int i = 0; i < BATCH; i++) {
      deletes.add(new Settlement(lease, Duration.ZERO, 0, () -> {}, SettleWatch.NONE), 0);
    }
    return deletes.take(0, false);
  }
}
