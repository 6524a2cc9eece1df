package io.queueworker.observe;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.queueworker.gate.Purge;
import java.util.function.Consumer;

/**
 * Counts what purges of one gate's table do, as {@code docs/metrics.md} lists it: {@code
 * gate.purge(retention).onStep(PurgeMeter.in(registry, "queueworker_gate")).run()}.
 *
 * <p>A purge belongs to a table and to no worker, so the counters carry the tag {@code table}. They stay in the registry.
 * Thread-safe.
 */
public final class PurgeMeter implements Consumer<Purge.Progress> {
  private final Counter lookedAt;
  private final Counter purged;
  private final Counter left;

  private PurgeMeter(MeterRegistry registry, String table) {
    lookedAt = registry.counter("queueworker.gate.purge.looked", "table", table);
    purged = registry.counter("queueworker.gate.purged", "table", table);
    left = registry.counter("queueworker.gate.purge.left", "table", table);
  }

  /**
   * The counters of a table, which are registered with 0 unless they are there.
   *
   * @param table the tag's value
   */
  public static PurgeMeter in(MeterRegistry registry, String table) {
    return new PurgeMeter(registry, table);
  }

  /** Counts one step. */
  @Override
  public void accept(Purge.Progress progress) {
    lookedAt.increment((double) progress.step().lookedAt());
    purged.increment((double) progress.step().deleted());
    left.increment((double) progress.step().left());
  }
}
