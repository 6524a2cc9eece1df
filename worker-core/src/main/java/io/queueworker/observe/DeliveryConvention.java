package io.queueworker.observe;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * The names by which attempts at messages are observed: OpenTelemetry's for messaging, and some of this library's own, as
 * {@code docs/tracing.md} lists them. A {@link io.micrometer.observation.GlobalObservationConvention} for {@link
 * DeliveryContext} in the user's registry takes its place; it can ask this one first. Stateless, so thread-safe.
 */
public final class DeliveryConvention implements ObservationConvention<DeliveryContext> {

  /** The name of the observation, and so of a timer made of it. */
  public static final String NAME = "queueworker.delivery";

  /** The key that says what the attempt came to, as {@link DeliveryOutcome#tag()}. */
  public static final String OUTCOME = "queueworker.outcome";

  private static final KeyValues SAME_FOR_ALL = KeyValues.of(
      "messaging.system", "aws_sqs", "messaging.operation.name", "process", "messaging.operation.type", "process");

  @Override
  public boolean supportsContext(Observation.Context context) {
    return context instanceof DeliveryContext;
  }

  @Override
  public String getName() {
    return NAME;
  }

  @Override
  public String getContextualName(DeliveryContext context) {
    return "process " + context.queue();
  }

  /** What has few values: fit for the tags of meters. */
  @Override
  public KeyValues getLowCardinalityKeyValues(DeliveryContext context) {
    return SAME_FOR_ALL.and("messaging.destination.name", context.queue(), OUTCOME, context.outcome().tag());
  }

  /** What only traces carry. The error's class is here since Micrometer gives its meters a tag of their own for it. */
  @Override
  public KeyValues getHighCardinalityKeyValues(DeliveryContext context) {
    KeyValues values = KeyValues.of(
        KeyValue.of("messaging.message.id", context.message().id()),
        KeyValue.of("messaging.client.id", context.worker()),
        KeyValue.of("queueworker.receive_count", Integer.toString(context.message().receiveCount())));
    if (context.message().group().isPresent()) {
      values = values.and("queueworker.group", context.message().group().get());
    }
    return context.errorType().isPresent() ? values.and("error.type", context.errorType().get()) : values;
  }
}
