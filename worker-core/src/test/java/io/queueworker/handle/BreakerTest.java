package io.queueworker.handle;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.queueworker.handle.Breaker.Ticket;
import io.queueworker.observe.WorkerEvent;
import io.queueworker.timing.SystemTiming;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class BreakerTest {

  private final IllegalStateException down = new IllegalStateException("down");

  private final HandClock clock = new HandClock();
  private final List<String> told = new ArrayList<>();
  private final List<WorkerEvent> events = new ArrayList<>();
  private final CircuitBreaker circuit =
      CircuitBreaker.of(
          "payments",
          CircuitBreakerConfig.custom()
              .slidingWindowSize(2)
              .minimumNumberOfCalls(2)
              .permittedNumberOfCallsInHalfOpenState(2)
              .waitDurationInOpenState(Duration.ofSeconds(10))
              .clock(clock)
              .currentTimestampFunction(c -> clock.now.toEpochMilli(), TimeUnit.MILLISECONDS)
              .build());
  private int fresh = -1;
  private final Breaker breaker =
      new Breaker(
          circuit,
          Optional.empty(),
          why -> told.add(why),
          () -> told.add("over"),
          messages -> fresh = messages,
          SystemTiming.instance().pool("unused", 1),
          events::add);

  /** A wall clock that stands until it is moved. */
  private static final class HandClock extends Clock {
    private Instant now = Instant.EPOCH;

    @Override
    public Instant instant() {
      return now;
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }

  private Ticket permitted() {
    return breaker.ask().orElseThrow();
  }

  private void look(int second) {
    clock.now = Instant.EPOCH.plusSeconds(second);
    breaker.look(Long.MAX_VALUE - 5 + Duration.ofSeconds(second).toNanos());
  }

  private void open() {
    breaker.failed(permitted(), 1, down);
    breaker.failed(permitted(), 1, down);
    assertThat(circuit.getState()).isEqualTo(State.OPEN);
  }

  @Test
  void its_opening_and_closing_are_told_of_once_each() {
    breaker.succeeded(permitted(), 1);
    assertThat(told).isEmpty();
    breaker.failed(permitted(), 1, down);
    assertThat(told).containsExactly("circuit breaker payments is OPEN");
    assertThat(breaker.ask()).isEmpty();
    assertThat(breaker.isClosed()).isFalse();
    look(11);
    breaker.succeeded(permitted(), 1);
    breaker.succeeded(permitted(), 1);
    assertThat(breaker.isClosed()).isTrue();
    assertThat(told).containsExactly("circuit breaker payments is OPEN", "over");
  }

  @Test
  void an_open_breaker_is_asked_at_every_look_and_half_open_it_permits_new_messages() {
    open();
    look(0);
    assertThat(fresh).isZero();
    look(9);
    assertThat(circuit.getState()).isEqualTo(State.OPEN);
    look(11);
    assertThat(circuit.getState()).isEqualTo(State.HALF_OPEN);
    assertThat(fresh).isEqualTo(2);
    Ticket one = permitted();
    look(12);
    assertThat(fresh).as("one probe is under way").isEqualTo(1);
    breaker.giveBack(one);
    look(13);
    assertThat(fresh).isEqualTo(2);
    breaker.succeeded(permitted(), 1);
    look(14);
    assertThat(fresh).as("one has done its work").isEqualTo(1);
    breaker.succeeded(permitted(), 1);
    look(15);
    assertThat(fresh).as("closed: nothing is to be let through").isZero();
  }

  @Test
  void looks_in_close_succession_ask_an_open_breaker_once() {
    open();
    long refused = circuit.getMetrics().getNumberOfNotPermittedCalls();
    for (int i = 0; i < 10; i++) {
      breaker.look(i);
    }
    assertThat(circuit.getMetrics().getNumberOfNotPermittedCalls()).isEqualTo(refused + 1);
  }

  @Test
  void what_began_before_it_opened_is_no_probe() {
    Ticket early = permitted();
    Ticket other = permitted();
    open();
    look(11);
    breaker.failed(early, 1, down);
    breaker.giveBack(other);
    assertThat(circuit.getState()).isEqualTo(State.HALF_OPEN);
    assertThat(circuit.getMetrics().getNumberOfBufferedCalls()).isZero();
    permitted();
    permitted();
    assertThat(breaker.ask()).as("two probes are permitted, no more").isEmpty();
  }

  @Test
  void a_round_is_counted_from_the_last_time_it_was_closed() {
    open();
    look(11);
    Ticket first = permitted();
    assertThat(first).isEqualTo(new Ticket(1, true, 1));
    breaker.failed(first, 1, down);
    breaker.failed(permitted(), 1, down);
    look(22);
    assertThat(permitted()).isEqualTo(new Ticket(2, true, 2));
    circuit.transitionToClosedState();
    look(23);
    assertThat(permitted()).isEqualTo(new Ticket(2, false, 0));
    open();
    look(44);
    assertThat(permitted()).isEqualTo(new Ticket(3, true, 1));
  }

  @Test
  void forced_open_it_is_not_asked_and_switched_off_it_permits_all() {
    circuit.transitionToForcedOpenState();
    look(0);
    assertThat(told).containsExactly("circuit breaker payments is FORCED_OPEN");
    assertThat(circuit.getMetrics().getNumberOfNotPermittedCalls()).isZero();
    circuit.transitionToDisabledState();
    look(1);
    assertThat(told).endsWith("over");
    assertThat(breaker.ask()).isPresent();
    circuit.transitionToMetricsOnlyState();
    assertThat(breaker.isClosed()).isTrue();
    assertThat(events).isEmpty();
  }
}
