package io.queueworker.observe;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.queueworker.timing.SystemTiming;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

class LogLinesTest {

  private final Logger logger = (Logger) LoggerFactory.getLogger("io.queueworker");
  private final SlowAppender disk = new SlowAppender();
  private final LogLines lines =
      new LogLines(SystemTiming.instance(), "orders", "w1", SystemTiming.instance().pool("worker-orders-log", 1));

  @BeforeEach
  void listen() {
    disk.start();
    logger.setAdditive(false);
    logger.addAppender(disk);
  }

  @AfterEach
  void stopListening() {
    disk.free.countDown();
    lines.close();
    logger.detachAppender(disk);
    logger.setAdditive(true);
  }

  @Test
  void who_hands_over_a_line_does_not_wait_for_the_disk() throws Exception {
    lines.write(Level.WARN, "first", null);
    assertThat(disk.entered.await(10, SECONDS)).isTrue();
    lines.write(Level.WARN, "second", null);
    assertThat(disk.written).isEmpty();

    disk.free.countDown();
    lines.close();

    assertThat(disk.written)
        .containsExactly("queue=orders worker=w1 first", "queue=orders worker=w1 second");
    assertThat(disk.threads).containsOnly("worker-orders-log-1");
  }

  @Test
  void what_exceeds_the_backlog_is_dropped_and_one_line_says_how_much() throws Exception {
    lines.write(Level.WARN, "0", null);
    assertThat(disk.entered.await(10, SECONDS)).isTrue();
    for (int i = 1; i < LogLines.BACKLOG + 250; i++) {
      lines.write(Level.WARN, "line", null);
    }

    disk.free.countDown();
    lines.close();

    assertThat(disk.written).hasSize(LogLines.BACKLOG + 1);
    assertThat(disk.written).filteredOn(line -> line.contains("250 log lines were dropped")).hasSize(1);
  }

  @Test
  void a_disk_that_hangs_does_not_hang_the_close_and_later_lines_come_in_place() throws Exception {
    lines.write(Level.WARN, "first", null);
    assertThat(disk.entered.await(10, SECONDS)).isTrue();

    lines.close();

    assertThat(disk.written).isEmpty();
    disk.free.countDown();
    lines.write(Level.WARN, "late", null);
    assertThat(disk.written).contains("queue=orders worker=w1 late");
  }

  /** A log whose lines all wait until it is free. Thread-safe. */
  private static final class SlowAppender extends AppenderBase<ILoggingEvent> {
    final CountDownLatch entered = new CountDownLatch(1);
    final CountDownLatch free = new CountDownLatch(1);
    final List<String> written = new CopyOnWriteArrayList<>();
    final List<String> threads = new CopyOnWriteArrayList<>();

    @Override
    protected void append(ILoggingEvent line) {
      entered.countDown();
      try {
        free.await(30, SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      written.add(line.getFormattedMessage());
      threads.add(line.getThreadName());
    }
  }
}
