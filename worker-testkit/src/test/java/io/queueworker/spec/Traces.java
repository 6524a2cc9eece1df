package io.queueworker.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.handler.PropagatingReceiverTracingObservationHandler;
import io.micrometer.tracing.otel.bridge.OtelBaggageManager;
import io.micrometer.tracing.otel.bridge.OtelCurrentTraceContext;
import io.micrometer.tracing.otel.bridge.OtelPropagator;
import io.micrometer.tracing.otel.bridge.OtelTracer;
import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.baggage.propagation.W3CBaggagePropagator;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A registry with OpenTelemetry's tracer behind it, as a user would set it up, and the spans that ended. */
final class Traces {

  final ObservationRegistry registry = ObservationRegistry.create();
  private final InMemorySpanExporter ended = InMemorySpanExporter.create();

  Traces(TextMapPropagator propagator) {
    SdkTracerProvider provider =
        SdkTracerProvider.builder().addSpanProcessor(SimpleSpanProcessor.create(ended)).build();
    Tracer tracer = provider.get("spec");
    OtelCurrentTraceContext current = new OtelCurrentTraceContext();
    OtelTracer bridge =
        new OtelTracer(tracer, current, event -> {}, new OtelBaggageManager(current, List.of("tenant"), List.of()));
    registry.observationConfig().observationHandler(
        new PropagatingReceiverTracingObservationHandler<>(
            bridge, new OtelPropagator(ContextPropagators.create(propagator), tracer)));
  }

  /** One that reads what the W3C specifies: traceparent, tracestate and baggage. */
  static Traces w3c() {
    return new Traces(
        TextMapPropagator.composite(W3CTraceContextPropagator.getInstance(), W3CBaggagePropagator.getInstance()));
  }

  /** The spans in the order in which they ended. */
  List<SpanData> spans() {
    return ended.getFinishedSpanItems();
  }

  SpanData only() {
    assertThat(spans()).hasSize(1);
    return spans().get(0);
  }

  /** What each attempt came to, in order. */
  List<String> outcomes() {
    return spans().stream().map(span -> attributes(span).get("queueworker.outcome")).toList();
  }

  /** The trace that code of this thread is in. */
  String currentTrace() {
    return Span.current().getSpanContext().getTraceId();
  }

  @Nullable
  String baggage(String key) {
    return Baggage.current().getEntryValue(key);
  }

  static Map<String, String> attributes(SpanData span) {
    Map<String, String> values = new TreeMap<>();
    for (Map.Entry<AttributeKey<?>, Object> entry : span.getAttributes().asMap().entrySet()) {
      values.put(entry.getKey().getKey(), entry.getValue().toString());
    }
    return values;
  }
}
