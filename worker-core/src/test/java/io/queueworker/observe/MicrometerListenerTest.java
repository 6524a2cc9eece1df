package io.queueworker.observe;

import static io.queueworker.observe.EveryEvent.CONTEXT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.queueworker.Health;
import io.queueworker.HealthReason;
import io.queueworker.LossReason;
import io.queueworker.WorkerState;
import io.queueworker.observe.WorkerEvent.HoldReason;
import io.queueworker.queue.MessageCounts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class MicrometerListenerTest {

  private static final Durations NONE = new DurationHistogram(0).snapshot(0);

  private final MeterRegistry registry = new SimpleMeterRegistry();
  private final AtomicLong inFlight = new AtomicLong();
  private final AtomicLong stuck = new AtomicLong();
  private final AtomicLong paused = new AtomicLong();
  private final AtomicReference<Durations> durations = new AtomicReference<>(NONE);
  private final AtomicReference<Health> health = new AtomicReference<>(healthy());
  private final MicrometerListener listener = bind("orders", "w1");

  @Test
  void the_documentation_lists_what_is_registered_and_nothing_else() throws Exception {
    EveryEvent.all().forEach(this::tell);

    assertThat(registered()).isEqualTo(documented());
  }

  @Test
  void every_meter_carries_queue_and_worker() {
    EveryEvent.all().forEach(this::tell);

    assertThat(registry.getMeters()).isNotEmpty();
    for (Meter meter : registry.getMeters()) {
      assertThat(meter.getId().getTag("queue")).isEqualTo("orders");
      assertThat(meter.getId().getTag("worker")).isEqualTo("w1");
      assertThat(meter.getId().getName()).startsWith("queueworker.");
    }
  }

  @Test
  void the_documentation_names_every_value_of_a_known_tag() throws Exception {
    String text = Files.readString(metricsFile());
    for (Meter meter : registry.getMeters()) {
      for (Tag tag : moreTags(meter)) {
        String row =
            text.lines().filter(line -> line.startsWith("| `" + meter.getId().getName() + "` ")).findFirst().get();
        if (!meter.getId().getName().equals("queueworker.messages.unstarted")) {
          assertThat(row).contains("`" + tag.getValue() + "`");
        }
      }
    }
  }

  @Test
  void a_message_that_goes_well_is_counted_and_timed() {
    tell(new WorkerEvent.ReceiveCompleted(10, 1, Duration.ofMillis(20)));
    tell(new WorkerEvent.Received("m1", 1, Duration.ofSeconds(28)));
    tell(new WorkerEvent.HandlerStarted("m1", 1));
    tell(new WorkerEvent.HandlerReturned("m1", 1, Duration.ofSeconds(3)));
    tell(new WorkerEvent.Committed("m1", 1, Duration.ofSeconds(4)));
    tell(new WorkerEvent.Deleted("m1", 1, Duration.ofMillis(90)));

    assertThat(count("queueworker.receives")).isEqualTo(1);
    assertThat(count("queueworker.messages.received")).isEqualTo(1);
    assertThat(count("queueworker.messages.handled", "outcome", "committed")).isEqualTo(1);
    assertThat(count("queueworker.messages.handled", "outcome", "failed")).isZero();
    assertThat(count("queueworker.deletes")).isEqualTo(1);
    assertThat(registry.get("queueworker.handle").timer().totalTime(TimeUnit.SECONDS))
        .isCloseTo(3, within(1e-6));
    assertThat(registry.get("queueworker.commit").timer().totalTime(TimeUnit.SECONDS))
        .isCloseTo(4, within(1e-6));
  }

  @Test
  void reasons_are_counted_apart() {
    tell(new WorkerEvent.LeaseLost("m1", 1, LossReason.OVERTIME, "why"));
    tell(new WorkerEvent.LeaseLost("m2", 1, LossReason.OVERTIME, "why"));
    tell(new WorkerEvent.LeaseLost("m3", 1, LossReason.EXPIRED, "why"));
    tell(new WorkerEvent.HeldBack("m4", 1, HoldReason.GATE_UNAVAILABLE, "why", Duration.ofSeconds(1)));
    tell(new WorkerEvent.ReceiveFailed("unreachable", "why", 1, Duration.ofSeconds(1)));
    tell(new WorkerEvent.PermissionDenied("sqs:DeleteMessage"));
    tell(new WorkerEvent.DeleteFailed("m5", 1, "why", Optional.empty()));

    assertThat(count("queueworker.leases.lost", "reason", "overtime")).isEqualTo(2);
    assertThat(count("queueworker.leases.lost", "reason", "expired")).isEqualTo(1);
    assertThat(count("queueworker.leases.lost", "reason", "stalled")).isZero();
    assertThat(count("queueworker.messages.held", "reason", "gate_unavailable")).isEqualTo(1);
    assertThat(count("queueworker.receives.failed", "kind", "unreachable")).isEqualTo(1);
    assertThat(count("queueworker.permissions.denied", "action", "sqs:DeleteMessage")).isEqualTo(1);
    assertThat(count("queueworker.deletes.failed", "outcome", "given_up")).isEqualTo(1);
    assertThat(count("queueworker.deletes.failed", "outcome", "retried")).isZero();
  }

  @Test
  void gauges_read_what_they_were_given() {
    inFlight.set(7);
    stuck.set(2);
    paused.set(1);

    assertThat(gauge("queueworker.messages.inflight")).isEqualTo(7);
    assertThat(gauge("queueworker.handlers.stuck")).isEqualTo(2);
    assertThat(gauge("queueworker.paused")).isEqualTo(1);
  }

  @Test
  void health_is_a_figure_and_each_reason_is_there_or_not() {
    assertThat(gauge("queueworker.health")).isEqualTo(2);
    assertThat(gauge("queueworker.health.reasons", "reason", "beats_late")).isZero();

    health.set(
        with(
            Health.Status.DEGRADED,
            List.of(new HealthReason(HealthReason.Kind.BEATS_LATE, Health.Status.DEGRADED, "words")),
            Optional.empty()));

    assertThat(gauge("queueworker.health")).isEqualTo(1);
    assertThat(gauge("queueworker.health.reasons", "reason", "beats_late")).isEqualTo(1);
    assertThat(gauge("queueworker.health.reasons", "reason", "no_receive")).isZero();

    health.set(with(Health.Status.DOWN, List.of(), Optional.empty()));

    assertThat(gauge("queueworker.health")).isZero();
    assertThat(gauge("queueworker.receives.due")).isEqualTo(7);
    assertThat(gauge("queueworker.beats.late")).isEqualTo(1.5);
    assertThat(gauge("queueworker.inflight.oldest")).isEqualTo(90);
  }

  @Test
  void how_many_messages_there_are_is_not_a_number_until_somebody_counted() {
    assertThat(gauge("queueworker.queue.messages", "state", "visible")).isNaN();
    assertThat(gauge("queueworker.deadletters.messages")).isNaN();

    health.set(
        with(
            Health.Status.UP,
            List.of(),
            Optional.of(
                new Health.QueueSample(
                    new MessageCounts(5, 6, 7), Optional.of(new MessageCounts(1, 2, 3)), Instant.EPOCH))));

    assertThat(gauge("queueworker.queue.messages", "state", "visible")).isEqualTo(5);
    assertThat(gauge("queueworker.queue.messages", "state", "not_visible")).isEqualTo(6);
    assertThat(gauge("queueworker.queue.messages", "state", "delayed")).isEqualTo(7);
    assertThat(gauge("queueworker.deadletters.messages")).isEqualTo(6);
  }

  @Test
  void the_p99_comes_from_the_workers_own_histogram_in_seconds() {
    assertThat(gauge("queueworker.duration.p99")).as("without samples").isNaN();

    DurationHistogram histogram = new DurationHistogram(0);
    for (int millis = 10; millis <= 10_000; millis += 10) {
      histogram.record(TimeUnit.MILLISECONDS.toNanos(millis), 0);
    }
    durations.set(histogram.snapshot(0));

    assertThat(gauge("queueworker.duration.samples")).isEqualTo(1000);
    assertThat(gauge("queueworker.duration.unfinished")).isZero();
    assertThat(gauge("queueworker.duration.p50")).isCloseTo(5, within(0.05));
    assertThat(gauge("queueworker.duration.p90")).isCloseTo(9, within(0.09));
    assertThat(gauge("queueworker.duration.p99")).isCloseTo(9.9, within(0.1));
    assertThat(gauge("queueworker.duration.p999")).isCloseTo(9.99, within(0.1));
    assertThat(gauge("queueworker.duration.max")).isCloseTo(10, within(0.1));

    histogram.cutOff(TimeUnit.SECONDS.toNanos(60), 0);
    durations.set(histogram.snapshot(0, TimeUnit.SECONDS.toNanos(1)));

    assertThat(gauge("queueworker.duration.samples")).isEqualTo(1000);
    assertThat(gauge("queueworker.duration.unfinished")).as("one was cut off, one goes on").isEqualTo(2);
    assertThat(gauge("queueworker.duration.max")).isCloseTo(60, within(0.6));
  }

  @Test
  void a_close_removes_the_workers_meters_for_good_and_leaves_those_of_others() {
    MicrometerListener other = bind("orders", "w2");
    EveryEvent.all().forEach(this::tell);
    int before = registry.getMeters().size();

    listener.close();
    listener.close();
    EveryEvent.all().forEach(this::tell);
    tell(new WorkerEvent.ReceiveFailed("a new kind", "why", 1, Duration.ofSeconds(1)));

    assertThat(registry.getMeters()).isNotEmpty().hasSizeLessThan(before);
    assertThat(registry.getMeters()).allMatch(meter -> "w2".equals(meter.getId().getTag("worker")));
    other.close();
    assertThat(registry.getMeters()).isEmpty();
  }

  @Test
  void kinds_without_end_do_not_flood_the_registry() {
    for (int i = 0; i < 1_000; i++) {
      tell(new WorkerEvent.ReceiveFailed("kind " + i, "why", 1, Duration.ofSeconds(1)));
    }

    assertThat(registry.find("queueworker.receives.failed").counters()).hasSize(21);
    assertThat(count("queueworker.receives.failed", "kind", "other")).isEqualTo(980);
  }

  @Test
  void a_failed_binding_leaves_no_meter_behind() {
    MeterRegistry taken = new SimpleMeterRegistry();
    taken.timer("queueworker.releases.failed", "queue", "orders", "worker", "w1");

    assertThatThrownBy(() -> MicrometerListener.bind(taken, "orders", "w1", gauges()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(taken.getMeters()).hasSize(1);
  }

  private MicrometerListener bind(String queue, String worker) {
    return MicrometerListener.bind(registry, queue, worker, gauges());
  }

  private static Health healthy() {
    return with(Health.Status.UP, List.of(), Optional.empty());
  }

  private static Health with(Health.Status status, List<HealthReason> reasons, Optional<Health.QueueSample> sample) {
    return new Health(
        status,
        reasons,
        WorkerState.RUNNING,
        Optional.empty(),
        Optional.of(Duration.ofSeconds(7)),
        Duration.ofMillis(1500),
        3,
        Duration.ofSeconds(90),
        Optional.empty(),
        List.of(),
        Optional.empty(),
        Map.of(),
        Set.of(),
        Optional.empty(),
        sample,
        List.of());
  }

  private Gauges gauges() {
    return new Gauges(inFlight::get, stuck::get, paused::get, durations::get, health::get);
  }

  private void tell(WorkerEvent event) {
    listener.onEvent(CONTEXT, event);
  }

  private double count(String name, String... tags) {
    return registry.get(name).tags(tags).counter().count();
  }

  private double gauge(String name, String... tags) {
    return registry.get(name).tags(tags).gauge().value();
  }

  private Set<String> registered() {
    return registry.getMeters().stream().map(MicrometerListenerTest::row)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String row(Meter meter) {
    String tags = moreTags(meter).stream().map(tag -> "`" + tag.getKey() + "`").collect(Collectors.joining(" "));
    String unit = meter.getId().getBaseUnit();
    return String.join(
        "|",
        "`" + meter.getId().getName() + "`",
        meter.getId().getType().name().toLowerCase(Locale.ROOT),
        tags,
        unit == null ? "" : unit);
  }

  private static List<Tag> moreTags(Meter meter) {
    return meter.getId().getTags().stream()
        .filter(tag -> !tag.getKey().equals("queue") && !tag.getKey().equals("worker"))
        .toList();
  }

  private static Set<String> documented() throws Exception {
    Set<String> rows = new TreeSet<>();
    for (String line : Files.readAllLines(metricsFile())) {
      if (line.startsWith("| `queueworker.") && !line.startsWith("| `queueworker.gate.purge")) {
        String[] cells = line.split("\\|", -1);
        assertThat(cells[5]).as("the meaning of %s", cells[1]).isNotBlank();
        rows.add(cells[1].strip() + "|" + cells[2].strip() + "|" + cells[3].strip() + "|" + cells[4].strip());
      }
    }
    return rows;
  }

  /** Tests run in the module's directory. */
  private static Path metricsFile() {
    return Path.of("..", "docs", "metrics.md");
  }
}
