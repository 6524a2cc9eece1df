package io.queueworker.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.GlobalObservationConvention;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.contrib.awsxray.propagator.AwsXrayPropagator;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.queueworker.FailureAction;
import io.queueworker.KeyFunction;
import io.queueworker.QueueWorker;
import io.queueworker.observe.DeliveryContext;
import io.queueworker.observe.DeliveryConvention;
import io.queueworker.observe.DeliveryOutcome;
import io.queueworker.observe.WorkerEvent.Committed;
import io.queueworker.observe.WorkerEvent.Deleted;
import io.queueworker.observe.WorkerEvent.HeldBack;
import io.queueworker.observe.WorkerEvent.UserCodeFailed;
import io.queueworker.spec.Specs.MemoryGate;
import io.queueworker.spec.Specs.Seeds;
import io.queueworker.testkit.engine.NewMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a tracer is told of each attempt at a message, with OpenTelemetry's own tracer. */
class TracesTest {

  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
  private static final String SENDER = "b7ad6b7169203331";
  private static final String TRACEPARENT = "00-" + TRACE + "-" + SENDER + "-01";

  @Seeds
  void a_traceparent_among_the_attributes_is_the_parent_of_the_attempt(long seed) {
    Rig.run(
        seed,
        rig -> {
          Traces traces = Traces.w3c();
          String id = rig.queue.send(
              NewMessage.of("0").withTexts(
                  Map.of("traceparent", TRACEPARENT, "tracestate", "vendor=7", "baggage", "tenant=blue")))
              .id();
          List<String> inside = new ArrayList<>();
          QueueWorker worker = rig.worker().observations(traces.registry)
              .decode(
                  body -> {
                    inside.add(traces.currentTrace());
                    return body;
                  })
              .handler(
                  delivery -> {
                    inside.add(traces.currentTrace());
                    inside.add(traces.baggage("tenant"));
                  })
              .start();
          rig.awaitEmpty();
          worker.close();

          SpanData span = traces.only();
          assertThat(span.getParentSpanContext().isRemote()).isTrue();
          assertThat(span.getTraceId()).isEqualTo(TRACE);
          assertThat(span.getParentSpanId()).isEqualTo(SENDER);
          assertThat(span.getSpanContext().getTraceState().get("vendor")).isEqualTo("7");
          assertThat(span.getKind()).isEqualTo(SpanKind.CONSUMER);
          assertThat(span.getName()).isEqualTo("process orders");
          assertThat(span.hasEnded()).isTrue();
          assertThat(inside).containsExactly(TRACE, TRACE, "blue");
          assertThat(Traces.attributes(span)).isEqualTo(
              Map.of(
                  "messaging.system", "aws_sqs",
                  "messaging.destination.name", "orders",
                  "messaging.operation.name", "process",
                  "messaging.operation.type", "process",
                  "messaging.message.id", id,
                  "messaging.client.id", "worker-1",
                  "queueworker.outcome", "committed",
                  "queueworker.receive_count", "1"));
        });
  }

  @Seeds
  void a_message_without_a_trace_begins_one(long seed) {
    Rig.run(
        seed,
        rig -> {
          Traces traces = Traces.w3c();
          rig.queue.send("0", Map.of("traceparent", "not a traceparent"));
          rig.queue.send("1");
          QueueWorker worker = rig.worker().observations(traces.registry).handler(delivery -> {}).start();
          rig.awaitEmpty();
          worker.close();

          assertThat(traces.spans()).hasSize(2)
              .allSatisfy(span -> assertThat(span.getParentSpanContext().isValid()).isFalse());
        });
  }

  @Seeds
  void the_header_of_the_service_is_the_parent_for_those_who_read_it(long seed) {
    Rig.run(
        seed,
        rig -> {
          Traces traces = new Traces(AwsXrayPropagator.getInstance());
          NewMessage plain = NewMessage.of("0");
          rig.queue.send(
              new NewMessage(
                  plain.body(), plain.attributes(), Optional.of("blue"), Optional.empty(), Optional.empty(),
                  Optional.of("Root=1-0af76519-16cd43dd8448eb211c80319c;Parent=" + SENDER + ";Sampled=1")));
          QueueWorker worker = rig.worker().observations(traces.registry).handler(delivery -> {}).start();
          rig.awaitEmpty();
          worker.close();

          SpanData span = traces.only();
          assertThat(span.getTraceId()).isEqualTo(TRACE);
          assertThat(span.getParentSpanId()).isEqualTo(SENDER);
          assertThat(Traces.attributes(span)).containsEntry("queueworker.group", "blue");
        });
  }

  @Seeds
  void each_receive_of_a_failing_message_is_a_span_of_the_senders_trace_with_its_error(long seed) {
    Rig.run(
        seed,
        rig -> {
          Traces traces = Traces.w3c();
          rig.queue.send("0", Map.of("traceparent", TRACEPARENT));
          QueueWorker worker = rig.worker().observations(traces.registry)
              .failurePolicy(failure -> FailureAction.retryAfter(Duration.ofSeconds(1)))
              .handler(
                  delivery -> {
                    if (delivery.receiveCount() == 1) {
                      throw new IllegalStateException("the stock is away");
                    }
                  })
              .start();
          rig.awaitEmpty();
          worker.close();

          assertThat(traces.outcomes()).containsExactly("failed", "committed");
          assertThat(traces.spans()).allSatisfy(span -> assertThat(span.getParentSpanId()).isEqualTo(SENDER));
          SpanData failed = traces.spans().get(0);
          assertThat(failed.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
          assertThat(Traces.attributes(failed)).containsEntry("error.type", "java.lang.IllegalStateException");
          assertThat(failed.toString()).contains("the stock is away");
          assertThat(traces.spans().get(1).getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
        });
  }

  @Seeds
  void what_a_decoder_says_of_the_body_is_not_in_the_trace(long seed) {
    Rig.run(
        seed,
        rig -> {
          Traces traces = Traces.w3c();
          rig.queue.send("secret");
          AtomicInteger tries = new AtomicInteger();
          QueueWorker worker = rig.worker().observations(traces.registry)
              .failurePolicy(failure -> FailureAction.retryAfter(Duration.ofSeconds(1)))
              .decode(
                  body -> {
                    if (tries.incrementAndGet() == 1) {
                      throw new IllegalArgumentException("cannot read " + body);
                    }
                    return body;
                  })
              .handler(delivery -> {})
              .start();
          rig.awaitEmpty();
          worker.close();

          SpanData failed = traces.spans().get(0);
          assertThat(failed.toString()).doesNotContain("secret").contains("withheld");
          assertThat(Traces.attributes(failed)).containsEntry("error.type", "java.lang.IllegalArgumentException")
              .containsEntry("queueworker.outcome", "failed");
        });
  }

  @Seeds
  void an_attempt_that_is_held_and_one_that_is_suppressed_are_told_from_one_that_did_the_work(long seed) {
    Rig.run(
        seed,
        rig -> {
          Traces traces = Traces.w3c();
          MemoryGate gate = new MemoryGate(true);
          gate.inProgress = 2;
          KeyFunction<String> key = delivery -> "one key";
          rig.send(1);
          QueueWorker worker = rig.worker().observations(traces.registry)
              .once(gate, key, (delivery, effects) -> effects.add(delivery.body())).start();
          rig.awaitEmpty();
          assertThat(rig.trail.count(HeldBack.class)).isEqualTo(2);
          rig.send(1);
          rig.awaitCount(Deleted.class, 2);
          worker.close();

          assertThat(traces.outcomes()).containsExactly("held", "held", "committed", "suppressed");
          rig.checkRules();
        });
  }

  @Seeds
  void an_attempt_that_lost_its_lease_says_so(long seed) {
    Rig.run(
        seed,
        rig -> {
          Traces traces = Traces.w3c();
          MemoryGate gate = new MemoryGate(false);
          rig.send(1);
          QueueWorker worker = rig.worker().observations(traces.registry).heartbeat(false)
              .once(
                  gate,
                  KeyFunction.messageId(),
                  (delivery, effects) -> {
                    if (delivery.receiveCount() == 1) {
                      rig.timing.sleep(Duration.ofMinutes(1));
                    }
                  })
              .start();
          rig.awaitCount(Committed.class, 1);
          worker.close();

          assertThat(traces.outcomes()).contains("lost").endsWith("committed");
        });
  }

  @Seeds
  void handlers_of_the_registry_that_throw_cost_an_attempt_its_trace_and_nothing_else(long seed) {
    for (String when : List.of("start", "scope", "error", "close", "stop")) {
      Rig.run(
          seed,
          rig -> {
            ObservationRegistry registry = ObservationRegistry.create();
            registry.observationConfig().observationHandler(new Broken(when));
            rig.send(3);
            QueueWorker worker = rig.worker().observations(registry)
                .failurePolicy(failure -> FailureAction.retryAfter(Duration.ofSeconds(1)))
                .handler(
                    delivery -> {
                      if (delivery.receiveCount() == 1) {
                        throw new IllegalStateException("first");
                      }
                    })
                .start();
            rig.awaitEmpty();
            assertThat(rig.trail.count(Committed.class)).isEqualTo(3);
            assertThat(rig.trail.of(UserCodeFailed.class)).as(when).isNotEmpty().allSatisfy(
                event -> assertThat(event.where()).contains("observation"));
            assertThat(registry.getCurrentObservation()).isNull();
            worker.close();
            rig.checkRules();
          });
    }
  }

  @Seeds
  void a_timer_made_of_the_observations_has_tags_of_few_values(long seed) {
    Rig.run(
        seed,
        rig -> {
          SimpleMeterRegistry meters = new SimpleMeterRegistry();
          ObservationRegistry registry = ObservationRegistry.create();
          registry.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
          rig.send(5);
          QueueWorker worker = rig.worker().observations(registry).handler(delivery -> {}).start();
          rig.awaitEmpty();
          worker.close();

          assertThat(
              meters.get(DeliveryConvention.NAME).tag(DeliveryConvention.OUTCOME, DeliveryOutcome.COMMITTED.tag())
                  .tag("messaging.destination.name", "orders").tag("error", "none").timer().count())
              .isEqualTo(5);
        });
  }

  @Seeds
  void a_convention_of_the_users_takes_the_place_of_ours_and_can_ask_it(long seed) {
    Rig.run(
        seed,
        rig -> {
          Traces traces = Traces.w3c();
          traces.registry.observationConfig().observationConvention(new Renamed());
          rig.send(1);
          QueueWorker worker = rig.worker().observations(traces.registry).handler(delivery -> {}).start();
          rig.awaitEmpty();
          worker.close();

          assertThat(traces.only().getName()).isEqualTo("orders at worker-1");
          assertThat(traces.only().getAttributes().get(AttributeKey.stringKey("messaging.system"))).isEqualTo("smq");
        });
  }

  @Seeds
  void a_registry_without_handlers_makes_nothing(long seed) {
    Rig.run(
        seed,
        rig -> {
          ObservationRegistry registry = ObservationRegistry.create();
          AtomicInteger made = new AtomicInteger();
          registry.observationConfig().observationPredicate(
              (name, context) -> {
                made.incrementAndGet();
                return true;
              });
          rig.send(3);
          QueueWorker worker = rig.worker().observations(registry).handler(
              delivery -> {
                if (delivery.receiveCount() == 1) {
                  rig.timing.sleep(Duration.ofSeconds(1));
                }
              }).start();
          rig.awaitEmpty();
          assertThat(made).hasValue(0);
          registry.observationConfig().observationHandler(new Broken("never"));
          rig.send(1);
          rig.awaitEmpty();
          assertThat(made).hasValue(1);
          worker.close();
        });
  }

  @Test
  void the_documentation_sets_a_registry_up_as_these_tests_do() throws IOException {
    String text = Files.readString(Path.of("..", "docs", "tracing.md"));
    String shown = text.substring(text.indexOf("```java") + 7, text.indexOf("```", text.indexOf("```java") + 7));
    String used = squeezed(Files.readString(Path.of("src/test/java/io/queueworker/spec/Traces.java")));

    assertThat(shown).contains("PropagatingReceiverTracingObservationHandler");
    for (String statement : shown.split(";\\R", -1)) {
      assertThat(used).contains(squeezed(statement));
    }
  }

  private static String squeezed(String code) {
    return code.replaceAll("\\s+", "");
  }

  /** A handler that throws at one point of an observation. */
  private record Broken(String when) implements ObservationHandler<DeliveryContext> {

    private void at(String point) {
      if (point.equals(when)) {
        throw new IllegalStateException("the exporter is broken at " + point);
      }
    }

    @Override
    public void onStart(DeliveryContext context) {
      at("start");
    }

    @Override
    public void onError(DeliveryContext context) {
      at("error");
    }

    @Override
    public void onScopeOpened(DeliveryContext context) {
      at("scope");
    }

    @Override
    public void onScopeClosed(DeliveryContext context) {
      at("close");
    }

    @Override
    public void onStop(DeliveryContext context) {
      at("stop");
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
      return context instanceof DeliveryContext;
    }
  }

  /** Ours with another span name and another system. */
  private static final class Renamed implements GlobalObservationConvention<DeliveryContext> {
    private final DeliveryConvention ours = new DeliveryConvention();

    @Override
    public boolean supportsContext(Observation.Context context) {
      return ours.supportsContext(context);
    }

    @Override
    public String getName() {
      return ours.getName();
    }

    @Override
    public String getContextualName(DeliveryContext context) {
      return context.queue() + " at " + context.worker();
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(DeliveryContext context) {
      return ours.getLowCardinalityKeyValues(context).and(KeyValue.of("messaging.system", "smq"));
    }
  }
}
