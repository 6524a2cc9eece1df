package io.queueworker.testkit.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queueworker.timing.SystemTiming;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The alarm clock of the engines. */
class LockedAlarmTest {

  private final ReentrantLock lock = new ReentrantLock();
  private final Defects defects = new Defects();
  private final LockedAlarm alarm = new LockedAlarm(SystemTiming.instance(), lock, defects);

  @AfterEach
  void close() {
    alarm.close();
  }

  private void awaitCall(Runnable action) throws InterruptedException {
    CountDownLatch called = new CountDownLatch(1);
    alarm.after(0, action);
    alarm.after(1, called::countDown);
    assertThat(called.await(Calls.LONG.toSeconds(), TimeUnit.SECONDS)).as("the next action was called").isTrue();
  }

  @Test
  void an_action_is_called_under_the_lock() throws InterruptedException {
    AtomicBoolean held = new AtomicBoolean();
    awaitCall(() -> held.set(lock.isHeldByCurrentThread()));
    assertThat(held).isTrue();
    defects.throwIfAny();
  }

  @Test
  void an_action_that_throws_is_told_and_the_clock_goes_on() throws InterruptedException {
    for (Throwable bug : List.of(new IllegalStateException("a bug"), new AssertionError("a bug too"))) {
      awaitCall(() -> Calls.thrown(bug));
      assertThatThrownBy(defects::throwIfAny).isInstanceOf(IllegalStateException.class).hasCause(bug);
    }
    defects.throwIfAny();
  }

  @Test
  void a_closed_clock_calls_nobody_and_refuses_nothing() {
    alarm.close();
    alarm.after(0, () -> {
      throw new AssertionError("called");
    }).cancel();
    defects.throwIfAny();
  }
}
