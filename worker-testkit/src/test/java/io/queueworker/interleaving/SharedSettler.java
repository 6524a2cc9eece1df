package io.queueworker.interleaving;

import io.queueworker.lease.Lease;
import io.queueworker.lease.LeaseClock;
import io.queueworker.lease.LeaseRegistry;
import io.queueworker.lease.Losses;
import io.queueworker.observe.Permissions;
import io.queueworker.settle.SettleCalls;
import io.queueworker.settle.SettleWatch;
import io.queueworker.settle.Settler;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/** A settler of three leases on a {@link DeletingQueue}, with calls of up to two deletes. Thread-safe. */
public final class SharedSettler {

  private static final int MESSAGES = 3;

  private final DeletingQueue queue = new DeletingQueue();
  private final List<Lease> leases =
      IntStream.range(0, MESSAGES).mapToObj(number -> SharedLease.of("m" + number)).toList();
  private final List<AtomicInteger> permitsBack =
      IntStream.range(0, MESSAGES).mapToObj(number -> new AtomicInteger()).toList();
  private final Settler settler;

  /** One that gathers deletes for so long, and hurries when permits are short. */
  public SharedSettler(StillTiming timing, Duration linger, BooleanSupplier permitsShort) {
    LeaseClock clock = new LeaseClock(timing);
    LeaseRegistry registry = new LeaseRegistry();
    SettleCalls calls =
        new SettleCalls(
            queue,
            timing,
            clock,
            registry,
            new Losses(registry, event -> {}),
            new Permissions(event -> {}),
            Duration.ofSeconds(3),
            0,
            event -> {});
    this.settler = new Settler(timing, clock, timing.pool("control", 2), 1, calls, 2, 10, linger, permitsShort);
  }

  /** The settler itself. */
  public Settler settler() {
    return settler;
  }

  /** Deletes one of the messages; {@code permit} is called when its permit comes back. */
  public void delete(int message, Runnable permit) {
    settler.delete(leases.get(message), 0, () -> {
      permitsBack.get(message).incrementAndGet();
      permit.run();
    }, SettleWatch.NONE);
  }

  /** Whether each of the first {@code messages} was deleted once, and its permit came back once. */
  public boolean eachOnce(int messages) {
    return IntStream.range(0, messages)
        .allMatch(number -> deletes(number) == 1 && permitsBack.get(number).get() == 1);
  }

  private long deletes(int number) {
    return queue.deleted().stream().filter(leases.get(number).receipt().value()::equals).count();
  }

  @Override
  public String toString() {
    return "deleted " + queue.deleted() + ", permits back " + permitsBack;
  }
}
