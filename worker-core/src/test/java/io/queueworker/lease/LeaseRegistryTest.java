package io.queueworker.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.queue.Receipt;
import io.queueworker.queue.ReceivedMessage;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The order in which leases are looked at. */
class LeaseRegistryTest {

  private static final long SECOND = 1_000_000_000L;
  private static final LeaseTerms TERMS =
      LeaseTerms.of(
          Duration.ofSeconds(30),
          Optional.of(Duration.ofHours(12)),
          Duration.ofHours(11),
          Duration.ofHours(1),
          Optional.empty(),
          true);

  private final LeaseRegistry registry = new LeaseRegistry();
  private final Lease first = lease(0);
  private final Lease second = lease(5 * SECOND);

  private static Lease lease(long at) {
    ReceivedMessage message =
        new ReceivedMessage(
            "m", new Receipt("r"), "", Map.of(), 1, Optional.empty(), Optional.empty(), Map.of());
    return new Lease(message, () -> TERMS, TERMS.visibility(), at, at);
  }

  @BeforeEach
  void receive() {
    registry.schedule(second);
    registry.schedule(first);
  }

  @Test
  void the_soonest_comes_first_and_none_before_its_time() {
    assertThat(registry.due(15 * SECOND - 1, 10)).isEmpty();
    assertThat(registry.due(15 * SECOND, 10)).containsExactly(first);
    assertThat(registry.due(20 * SECOND, 10)).containsExactly(first, second);
    assertThat(registry.due(20 * SECOND, 1)).containsExactly(first);
    assertThat(registry.all()).containsExactlyInAnyOrder(first, second);
  }

  @Test
  void a_lease_moves_to_its_present_time() {
    first.beat(15 * SECOND, 0, 0);
    registry.reschedule(first);

    assertThat(registry.due(27 * SECOND, 10)).containsExactly(second);
    assertThat(registry.due(28 * SECOND, 10)).containsExactly(second, first);
    assertThat(registry.size()).isEqualTo(2);
  }

  @Test
  void a_removed_lease_stays_away_until_it_is_received_again() {
    registry.remove(first);
    registry.remove(first);
    registry.reschedule(first);

    assertThat(registry.due(60 * SECOND, 10)).containsExactly(second);
    assertThat(registry.size()).isEqualTo(1);

    registry.schedule(first);
    assertThat(registry.due(60 * SECOND, 10)).containsExactly(first, second);
  }
}
