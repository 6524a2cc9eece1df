package io.queueworker.operations;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.queueworker.QueueWorker;
import io.queueworker.observe.PurgeMeter;
import io.queueworker.queue.QueueException;
import io.queueworker.queue.QueueException.Kind;
import io.queueworker.testkit.simulation.CallKind;
import io.queueworker.testkit.simulation.Fault;
import io.queueworker.testkit.simulation.SimulatedQueue;
import io.queueworker.testkit.simulation.SimulatedTiming;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What Prometheus reads from a real worker and a gate's purge: names, with their labels and the values of those. Stateless. */
final class PrometheusMeters {

  private static final Pattern SERIES = Pattern.compile("(queueworker_\\w+)\\{([^}]*)} \\S+");
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"([^\"]*)\"");

  private PrometheusMeters() {}

  /** The meters of a worker to which also happened what some meters come to be with. */
  static Map<String, Map<String, Set<String>>> ofAWorker() {
    Map<String, Map<String, Set<String>>> meters = new TreeMap<>();
    for (String line : scrape().lines().toList()) {
      Matcher series = SERIES.matcher(line);
      if (series.matches()) {
        Map<String, Set<String>> labels = meters.computeIfAbsent(series.group(1), name -> new TreeMap<>());
        Matcher label = LABEL.matcher(series.group(2));
        while (label.find()) {
          labels.computeIfAbsent(label.group(1), name -> new TreeSet<>()).add(label.group(2));
        }
      }
    }
    return meters;
  }

  private static String scrape() {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    PurgeMeter.in(registry, "queueworker_gate");
    StringBuilder scraped = new StringBuilder();
    SimulatedTiming.run(
        1,
        timing -> {
          SimulatedQueue dead = SimulatedQueue.standard(timing, "orders-dead");
          SimulatedQueue queue = SimulatedQueue.standard(timing, "orders").redrive(5, dead);
          queue.nextCall(
              CallKind.RECEIVE, Fault.fail(QueueException.of(Kind.UNAVAILABLE, "receive from orders failed", null)));
          queue.nextCall(
              CallKind.RECEIVE,
              Fault.fail(QueueException.denied("sqs:ReceiveMessage", "receive from orders failed: denied", null)));
          queue.send("1");
          QueueWorker worker =
              QueueWorker.of(queue.connect())
                  .workerId("w1")
                  .timing(timing)
                  .meters(registry)
                  .sampleDeadLetters(true)
                  .handler(delivery -> {})
                  .start();
          timing.await("the message is handled", queue::isEmpty, Duration.ofHours(1));
          scraped.append(registry.scrape());
          worker.close();
        });
    return scraped.toString();
  }
}
