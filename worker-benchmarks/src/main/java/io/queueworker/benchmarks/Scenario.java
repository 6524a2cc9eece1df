package io.queueworker.benchmarks;

import static io.queueworker.benchmarks.Figure.ALLOCATED;
import static io.queueworker.benchmarks.Figure.CPU;
import static io.queueworker.benchmarks.Figure.DELETES;
import static io.queueworker.benchmarks.Figure.DUPLICATES;
import static io.queueworker.benchmarks.Figure.IDLE_CPU;
import static io.queueworker.benchmarks.Figure.IDLE_REQUESTS;
import static io.queueworker.benchmarks.Figure.PICKUP_P50;
import static io.queueworker.benchmarks.Figure.PICKUP_P99;
import static io.queueworker.benchmarks.Figure.RECEIVES;
import static io.queueworker.benchmarks.Figure.REQUESTS;
import static io.queueworker.benchmarks.Figure.THROUGHPUT;

import java.util.List;
import java.util.Locale;

/**
 * What can be run. Immutable.
 *
 * @param name the letter that docs/performance.md gives it
 * @param parts its tables
 */
record Scenario(String name, List<Part> parts) {

  private static final String RAW = "raw-";
  private static final String WORKER = "queueworker";
  private static final List<String> RAW_AND_ALL =
      List.of("raw-3", "raw-12", "raw-24", WORKER, "spring", "spring-virtual", "jms-12", "dynamic");

  private static final List<Scenario> ALL =
      List.of(
          new Scenario("A", List.of(overHttp())),
          new Scenario("B", List.of(inProcess())),
          new Scenario("C", List.of(saturatedRequests(), trickleRequests(), idleRequests())),
          new Scenario("D", List.of(longHandlers())),
          new Scenario("E", List.of(inFlight(10_000), inFlight(100_000))),
          new Scenario("F", List.of(quietQueue())),
          new Scenario("G", List.of(closeUnderLoad())),
          new Scenario("H", List.of(fifo())),
          new Scenario("L", List.of(farAway())),
          new Scenario("P", List.of(observedInProcess(), observedOverHttp())));

  Scenario {
    parts = List.copyOf(parts);
  }

  /** The scenario of a letter, large or small. */
  static Scenario named(String letter) {
    return ALL.stream()
        .filter(scenario -> scenario.name.equalsIgnoreCase(letter))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException(
                "scenario is \"" + letter + "\": give -Dscenario= with one of "
                    + ALL.stream().map(Scenario::name).toList()));
  }

  /** Throughput over HTTP. After fewer messages than these the compiler takes a third of the CPU that is to be measured. */
  private static Part overHttp() {
    return new Part(
        "A: 20,000 small messages on ElasticMQ, handlers that do nothing",
        Plan.saturated(Service.ELASTICMQ, 20_000, 200_000),
        RAW_AND_ALL,
        RAW,
        List.of(THROUGHPUT, CPU, ALLOCATED, REQUESTS, DUPLICATES),
        false);
  }

  /** The worker's own cost. */
  private static Part inProcess() {
    return new Part(
        "B: small messages from a client in the process, so that no service is the limit",
        Plan.saturated(Service.STUB, 300_000, 300_000),
        RAW_AND_ALL,
        RAW,
        List.of(THROUGHPUT, CPU, ALLOCATED, REQUESTS, DUPLICATES),
        false);
  }

  /** Handlers that last longer than the visibility timeout. */
  private static Part longHandlers() {
    return new Part(
        "D: 5,000 messages in flight on ElasticMQ, visibility 30 s, handlers of 45 s",
        Plan.held(Service.ELASTICMQ, 5_000, 30, 45),
        List.of(WORKER),
        WORKER,
        List.of(
            DUPLICATES, Figure.LOST, Figure.EXTENSIONS, Figure.EXTENSIONS_OF_FLOOR, Figure.EXTENSION_BATCH,
            Figure.EXTENSIONS_PER_MINUTE,
            Figure.FILL_MILLIS),
        false);
  }

  private static Part inFlight(int messages) {
    return new Part(
        String.format(Locale.ROOT, "E: %,d messages in flight, visibility 120 s, handlers of 130 s", messages),
        Plan.held(Service.STUB, messages, 120, 130),
        List.of(WORKER),
        WORKER,
        List.of(
            Figure.HEAP_BEYOND, Figure.HEAP_BEYOND_STACKS, Figure.HEAP_BASE, Figure.THREADS, Figure.HELD_CPU,
            Figure.LATENESS_P50,
            Figure.LATENESS_P99, Figure.LATENESS_MAX, Figure.LOST, Figure.EXTENSIONS_OF_FLOOR, Figure.EXTENSION_BATCH,
            Figure.FILL_MILLIS,
            DUPLICATES),
        false);
  }

  private static Part quietQueue() {
    return new Part(
        "F: one message at a time on a quiet queue, 50 a second, handlers that do nothing",
        Plan.trickle(500, 200, 50, 0),
        List.of("raw-3", WORKER, "spring-virtual", "jms-3", "dynamic"),
        RAW,
        List.of(PICKUP_P50, PICKUP_P99, DUPLICATES),
        false);
  }

  private static Part closeUnderLoad() {
    return new Part(
        "G: close under load, on ElasticMQ, handlers of 50 ms",
        Plan.close(8_000, 3_000, 50),
        List.of("raw-6", WORKER, "spring-virtual", "jms-12", "dynamic"),
        RAW,
        List.of(Figure.CLOSE_MILLIS, Figure.LEFT_IN_FLIGHT, Figure.HANDLED_NOT_DELETED, DUPLICATES),
        false);
  }

  private static Part fifo() {
    return new Part(
        "H: a FIFO queue of 1,000 groups beside a standard queue, on ElasticMQ, handlers that do nothing",
        Plan.saturated(Service.ELASTICMQ, 5_000, 3_000),
        List.of(WORKER, "queueworker+fifo", "spring-virtual", "spring-virtual+fifo"),
        WORKER,
        List.of(THROUGHPUT, CPU, ALLOCATED, REQUESTS, DUPLICATES),
        false);
  }

  /** With as many messages in hand: six loops of ten beside sixty, seven beside seventy, and the default of 64 in between. */
  private static Part farAway() {
    return new Part(
        "L: as A, and each request takes 10 ms more",
        Plan.saturated(Service.ELASTICMQ_SLOW, 10_000, 5_000),
        List.of(
            "raw-6", "raw-7", WORKER, "queueworker+concurrency=60", "queueworker+concurrency=70", "spring", "spring-virtual",
            "jms-3", "jms-12", "dynamic"),
        RAW,
        List.of(THROUGHPUT, CPU, ALLOCATED, REQUESTS, DUPLICATES),
        false);
  }

  private static Part saturatedRequests() {
    return new Part(
        "C, saturated: requests with a full queue on ElasticMQ",
        Plan.saturated(Service.ELASTICMQ, 10_000, 5_000),
        List.of("raw-3", "raw-12", WORKER),
        RAW,
        List.of(REQUESTS, RECEIVES, DELETES, DUPLICATES),
        false);
  }

  private static Part trickleRequests() {
    return new Part(
        "C, trickle: 100 messages a second, handlers of 20 ms",
        Plan.trickle(2_000, 500, 100, 20),
        List.of("raw-3", "raw-12", WORKER, "queueworker+linger=100"),
        RAW,
        List.of(REQUESTS, RECEIVES, DELETES, PICKUP_P50, PICKUP_P99, DUPLICATES),
        false);
  }

  private static Part idleRequests() {
    return new Part(
        "C, idle: no messages",
        Plan.idle(60),
        List.of("bare", "raw-3", WORKER),
        "bare",
        List.of(IDLE_REQUESTS, IDLE_CPU),
        true);
  }

  /** The price of events and meters. */
  private static Part observedInProcess() {
    return new Part(
        "P: the worker with and without meters and listeners, by a client in the process",
        Plan.saturated(Service.STUB, 300_000, 300_000),
        List.of(
            WORKER,
            "queueworker+meters",
            "queueworker+inline",
            "queueworker+listener",
            "queueworker+meters+listener"),
        WORKER,
        List.of(CPU, ALLOCATED, THROUGHPUT, DUPLICATES),
        false);
  }

  private static Part observedOverHttp() {
    return new Part(
        "P over HTTP: the same on ElasticMQ",
        Plan.saturated(Service.ELASTICMQ, 20_000, 20_000),
        List.of(WORKER, "queueworker+meters", "queueworker+meters+listener"),
        WORKER,
        List.of(CPU, ALLOCATED, THROUGHPUT, DUPLICATES),
        false);
  }
}
