package io.queueworker.lease;

import static java.util.Comparator.comparingLong;
import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.queue.Receipt;
import io.queueworker.queue.ReceivedMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
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

  @Test
  void many_leases_that_come_move_and_go_stand_in_the_order_of_their_times() {
    registry.remove(first);
    registry.remove(second);
    Random random = new Random(7);
    List<Lease> pool = IntStream.range(0, 300).mapToObj(i -> lease(random.nextInt(20) * SECOND)).toList();
    List<Lease> there = new ArrayList<>(); // In the order in which each came to its present time.
    for (int step = 0; step < 5_000; step++) {
      Lease lease = pool.get(random.nextInt(pool.size()));
      long before = lease.nextCheck();
      switch (random.nextInt(3)) {
        case 0 -> {
          registry.schedule(lease);
          if (!there.contains(lease)) {
            there.add(lease);
          }
        }
        case 1 -> {
          registry.remove(lease);
          there.remove(lease);
        }
        default -> {
          lease.extendTo(200 * SECOND, random.nextInt(40) * SECOND);
          registry.reschedule(lease);
          if (lease.nextCheck() != before && there.remove(lease)) {
            there.add(lease);
          }
        }
      }
      List<Lease> inOrder = there.stream().sorted(comparingLong(Lease::nextCheck)).toList();
      long until = random.nextInt(40) * SECOND;
      int most = random.nextInt(350);

      assertThat(registry.due(LeaseTerms.NEVER, pool.size())).as("all after step %d", step).isEqualTo(inOrder);
      assertThat(registry.due(until, most))
          .as("%d at most by %d ns, after step %d", most, until, step)
          .isEqualTo(inOrder.stream().filter(each -> each.nextCheck() <= until).limit(most).toList());
      assertThat(registry.size()).isEqualTo(there.size());
    }
  }
}
