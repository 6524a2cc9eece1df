package io.queueworker.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.timing.SetClock;
import org.junit.jupiter.api.Test;

class PermitsTest {

  private final Permits permits = new Permits(new SetClock(), 15);

  @Test
  void as_many_are_taken_as_are_free_up_to_the_wish() {
    assertThat(permits.acquire(10, 0)).isEqualTo(10);
    assertThat(permits.acquire(10, 0)).isEqualTo(5);
    assertThat(permits.free()).isZero();
    assertThat(permits.used()).isEqualTo(15);
    permits.release(15);
    assertThat(permits.used()).isZero();
  }

  @Test
  void a_receive_that_finds_less_than_it_wants_says_so_and_only_then() {
    int[] told = new int[1];
    permits.onShort(
        () -> {
          // Who is told must see that somebody waits.
          assertThat(permits.areShort()).isTrue();
          told[0]++;
        });
    permits.acquire(10, 0);
    assertThat(told[0]).isZero();
    assertThat(permits.areShort()).isFalse();
    permits.acquire(10, 0);
    assertThat(told[0]).isEqualTo(1);
    assertThat(permits.areShort()).as("nobody waits any more").isFalse();
  }

  @Test
  void none_are_given_once_closed() {
    permits.close();
    assertThat(permits.acquire(10, 0)).isZero();
    assertThat(permits.used()).isZero();
  }
}
