package io.queueworker;

import io.queueworker.SizingAdvice.Advice;
import io.queueworker.SizingAdvice.Extensions;
import io.queueworker.observe.Durations;
import io.queueworker.observe.Estimate;
import java.time.Duration;

/**
 * Sizing advice as one line of JSON: durations in milliseconds, each estimate an object of {@code millis} and {@code
 * atLeast}, and null for what is not known. There is no text in it that needs escaping. Stateless.
 */
final class SizingJson {

  private SizingJson() {}

  /** One object. */
  static String of(SizingAdvice sizing) {
    return new JsonFields()
        .put("measured", measured(sizing.measured()))
        .put(
            "today",
            new JsonFields()
                .put("visibilityMillis", sizing.visibility().toMillis())
                .put("heartbeat", sizing.heartbeat())
                .put("verdict", '"' + sizing.verdict().name() + '"')
                .end())
        .put("advice", sizing.advice().map(SizingJson::advice).orElse(null))
        .end();
  }

  private static String measured(Durations measured) {
    return new JsonFields()
        .put("committed", measured.count())
        .put("cutOff", measured.cutOff())
        .put("running", measured.running())
        .put("failed", measured.failed())
        .put("suppressed", measured.suppressed())
        .put("samples", measured.samples())
        .put("p50", estimate(measured.p50()))
        .put("p90", estimate(measured.p90()))
        .put("p99", estimate(measured.p99()))
        .put("p99Bound", measured.p99Bound().map(SizingJson::estimate).orElse(null))
        .put("p999", estimate(measured.p999()))
        .put("max", estimate(measured.max()))
        .put("deleteMillis", measured.delete().map(Duration::toMillis).orElse(null))
        .end();
  }

  private static String advice(Advice advice) {
    Extensions cost = advice.extensions();
    return new JsonFields()
        .put("visibilityWithoutExtensions", estimate(advice.visibilityWithoutExtensions()))
        .put("visibilityWithHeartbeatMillis", advice.visibilityWithHeartbeat().toMillis())
        .put(
            "extensionsPer1000",
            new JsonFields()
                .put("messages", cost.messages())
                .put("extensions", cost.extensions())
                .put("fewestRequests", cost.fewestRequests())
                .put("atLeast", cost.atLeast())
                .end())
        .put("maxProcessingTime", estimate(advice.maxProcessingTime()))
        .put("drainTimeout", estimate(advice.drainTimeout()))
        .end();
  }

  private static String estimate(Estimate estimate) {
    return new JsonFields()
        .put("millis", estimate.value().toMillis())
        .put("atLeast", estimate.atLeast())
        .end();
  }
}
