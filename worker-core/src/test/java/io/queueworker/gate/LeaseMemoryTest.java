package io.queueworker.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.timing.SetClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The records in memory, to the nanosecond and across the overflow of a monotonic clock. */
class LeaseMemoryTest {
  private static final GateKey KEY = new GateKey("orders", "order-1");
  private static final Duration LEASE = Duration.ofSeconds(30);

  private final SetClock clock = new SetClock();
  private final LeaseMemory records = new LeaseMemory(clock);

  private static AttemptInfo info() {
    return new AttemptInfo("worker-1", "m-1", 1, LEASE, warning -> {});
  }

  @Test
  void a_record_expires_with_its_lease_and_not_a_nanosecond_before() {
    records.begin(KEY, info(), "first");
    clock.now += LEASE.toNanos() - 1;
    assertThat(records.look(KEY).orElseThrow().expired()).isFalse();
    assertThat(records.takeOver(KEY, info(), "second", "first")).isEmpty();
    clock.now++;
    assertThat(records.look(KEY).orElseThrow().expired()).isTrue();
    assertThat(records.takeOver(KEY, info(), "second", "first")).hasValue(2);
  }

  @Test
  void only_its_owner_begins_it_anew() {
    records.begin(KEY, info(), "first");
    clock.now += LEASE.toNanos();
    assertThat(records.restart(KEY, "second")).isFalse();
    assertThat(records.look(KEY).orElseThrow().sinceFirst()).isEqualTo(LEASE);
    assertThat(records.restart(KEY, "first")).isTrue();
    assertThat(records.look(KEY).orElseThrow().sinceFirst()).isZero();
  }

  @Test
  void it_tells_how_long_the_attempt_took_that_completed_it() {
    records.begin(KEY, info(), "first");
    clock.now += 5_000;
    assertThat(records.complete(KEY, "first", LeaseStory.UNKNOWN)).isTrue();
    clock.now += 5_000;
    assertThat(records.look(KEY).orElseThrow().by().took()).isEqualTo(Duration.ofNanos(5_000));
  }
}
