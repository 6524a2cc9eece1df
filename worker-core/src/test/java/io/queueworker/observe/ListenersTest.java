package io.queueworker.observe;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.queueworker.timing.SystemTiming;
import io.queueworker.timing.Timing;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class ListenersTest {

  private final Logger logger = (Logger) LoggerFactory.getLogger("io.queueworker");
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final List<Listeners> opened = new ArrayList<>();

  @BeforeEach
  void listen() {
    lines.list = new CopyOnWriteArrayList<>();
    lines.start();
    logger.setAdditive(false);
    logger.addAppender(lines);
  }

  @AfterEach
  void close() {
    opened.forEach(Listeners::close);
    logger.detachAppender(lines);
    logger.setAdditive(true);
  }

  @Test
  void inline_listeners_hear_in_place_and_in_their_order() {
    List<String> heard = new ArrayList<>();
    Thread caller = Thread.currentThread();
    Listeners listeners =
        open(
            List.of(
                (context, event) -> heard.add("first " + context.queue() + " " + (Thread.currentThread() == caller)),
                (context, event) -> heard.add("second " + context.worker())),
            List.of());

    listeners.emit(event(1));

    assertThat(heard).containsExactly("first orders true", "second w1");
  }

  @Test
  void without_listeners_not_even_the_clock_is_read() {
    AtomicInteger reads = new AtomicInteger();
    Timing counting = new CountingTiming(reads);

    new Listeners(counting, "orders", "w1", List.of(), List.of(), InPlace.lines()).emit(event(1));
    assertThat(reads).hasValue(0);

    new Listeners(counting, "orders", "w1", List.of((context, event) -> {}), List.of(), InPlace.lines()).emit(event(1));
    assertThat(reads).as("the same, with a listener").hasValue(2);
  }

  @Test
  void what_a_listener_throws_harms_nobody_and_is_logged_once_per_class() {
    List<WorkerEvent> heard = new ArrayList<>();
    WorkerListener failing = new FailingListener();
    Listeners listeners = open(List.of(failing, failing, (context, event) -> heard.add(event)), List.of());

    for (int i = 0; i < 10; i++) {
      listeners.emit(event(i));
    }

    assertThat(heard).hasSize(10);
    assertThat(lines.list).hasSize(1);
    assertThat(lines.list.getFirst().getLevel()).isEqualTo(Level.WARN);
    assertThat(lines.list.getFirst().getFormattedMessage())
        .startsWith("queue=orders worker=w1 the listener " + FailingListener.class.getName());
    assertThat(lines.list.getFirst().getThrowableProxy().getMessage()).isEqualTo("not on the class path");
  }

  @Test
  void a_listener_aside_hears_in_order_on_one_thread_of_its_own() throws Exception {
    List<WorkerEvent> heard = new CopyOnWriteArrayList<>();
    List<String> threads = new CopyOnWriteArrayList<>();
    CountDownLatch done = new CountDownLatch(500);
    Listeners listeners =
        open(
            List.of(),
            List.of(
                new FailingListener(),
                (context, event) -> {
                  heard.add(event);
                  threads.add(Thread.currentThread().getName());
                  done.countDown();
                }));
    List<WorkerEvent> sent = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      sent.add(event(i));
    }

    sent.forEach(listeners::emit);

    assertThat(done.await(10, SECONDS)).isTrue();
    assertThat(heard).containsExactlyElementsOf(sent);
    assertThat(threads).containsOnly("worker-orders-listener-2-1");
    assertThat(listeners.dropped()).isZero();
  }

  @Test
  void a_listener_that_hangs_delays_no_other() throws Exception {
    CountDownLatch free = new CountDownLatch(1);
    CountDownLatch otherHeard = new CountDownLatch(2);
    AtomicInteger heardByHanging = new AtomicInteger();
    WorkerListener hanging =
        (context, event) -> {
          awaitQuietly(free);
          heardByHanging.incrementAndGet();
        };
    Listeners listeners = open(List.of(), List.of(hanging, (context, event) -> otherHeard.countDown()));

    listeners.emit(event(1));
    listeners.emit(event(2));

    assertThat(otherHeard.await(10, SECONDS)).isTrue();
    assertThat(heardByHanging).hasValue(0);
    free.countDown();
  }

  @Test
  void what_exceeds_a_backlog_is_dropped_and_told_once_per_burst() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch free = new CountDownLatch(1);
    CountDownLatch heard = new CountDownLatch(Listeners.BACKLOG);
    WorkerListener slow =
        (context, event) -> {
          entered.countDown();
          awaitQuietly(free);
          heard.countDown();
        };
    Listeners listeners = open(List.of(), List.of(slow));

    listeners.emit(event(0));
    assertThat(entered.await(10, SECONDS)).isTrue();
    for (int i = 1; i < Listeners.BACKLOG + 250; i++) {
      listeners.emit(event(i));
    }

    assertThat(listeners.dropped()).isEqualTo(250);
    assertThat(lines.list).as("one line per burst").hasSize(1);
    assertThat(lines.list.getFirst().getFormattedMessage())
        .startsWith("queue=orders worker=w1 the listener ")
        .contains("is 10000 events behind");

    free.countDown();
    assertThat(heard.await(30, SECONDS)).isTrue();
    assertThat(lines.list).hasSize(2);
    assertThat(lines.list.getLast().getFormattedMessage()).endsWith("caught up; it missed 250 events.");
  }

  @Test
  void after_a_close_what_waits_is_still_heard_and_what_comes_later_is_dropped() throws Exception {
    CountDownLatch free = new CountDownLatch(1);
    CountDownLatch heard = new CountDownLatch(3);
    List<WorkerEvent> inline = new ArrayList<>();
    Listeners listeners =
        open(
            List.of((context, event) -> inline.add(event)),
            List.of(
                (context, event) -> {
                  awaitQuietly(free);
                  heard.countDown();
                }));
    for (int i = 0; i < 3; i++) {
      listeners.emit(event(i));
    }

    listeners.close();
    listeners.close();
    listeners.emit(event(3));
    free.countDown();

    assertThat(heard.await(10, SECONDS)).isTrue();
    assertThat(listeners.dropped()).isEqualTo(1);
    assertThat(inline).as("inline listeners hear to the end").hasSize(4);
  }

  private Listeners open(List<WorkerListener> inline, List<WorkerListener> aside) {
    Listeners listeners = new Listeners(SystemTiming.instance(), "orders", "w1", inline, aside, InPlace.lines());
    opened.add(listeners);
    return listeners;
  }

  private static WorkerEvent event(int number) {
    return new WorkerEvent.Deleted("m" + number, 1, Duration.ofMillis(number));
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await(30, SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static final class FailingListener implements WorkerListener {
    @Override
    public void onEvent(EventContext context, WorkerEvent event) {
      throw new NoClassDefFoundError("not on the class path");
    }
  }

  private record CountingTiming(AtomicInteger reads) implements Timing {
    @Override
    public long nanoTime() {
      return reads.incrementAndGet();
    }

    @Override
    public Instant now() {
      return Instant.ofEpochMilli(reads.incrementAndGet());
    }

    @Override
    public double random() {
      throw new UnsupportedOperationException();
    }

    @Override
    public WaitPoint waitPoint(ReentrantLock lock) {
      throw new UnsupportedOperationException();
    }

    @Override
    public WorkerThread start(ThreadKind kind, String name, Runnable body) {
      throw new UnsupportedOperationException();
    }

    @Override
    public ThreadPool pool(String name, int threads) {
      throw new UnsupportedOperationException();
    }
  }
}
