package io.queueworker.observe;

import io.micrometer.observation.transport.Propagator;
import io.micrometer.observation.transport.ReceiverContext;
import io.queueworker.queue.ReceivedMessage;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What an observation of one attempt at a message knows. The message is the carrier from which a tracer reads the sender's
 * trace: its attributes by their names, such as {@code traceparent}, and SQS's own {@code AWSTraceHeader} as {@value
 * #XRAY_HEADER}, which an attribute of that name goes before.
 *
 * <p>For the thread of the attempt.
 */
public final class DeliveryContext extends ReceiverContext<ReceivedMessage> {

  /** The name by which propagators of AWS X-Ray ask for a trace. */
  public static final String XRAY_HEADER = "X-Amzn-Trace-Id";

  private static final String XRAY_ATTRIBUTE = "AWSTraceHeader";
  private static final Propagator.Getter<ReceivedMessage> GETTER = new Propagator.Getter<>() {
    @Override
    public @Nullable String get(ReceivedMessage message, String key) {
      String sent = message.attributes().get(key);
      return sent == null && key.equalsIgnoreCase(XRAY_HEADER) ? message.system().get(XRAY_ATTRIBUTE) : sent;
    }
  };

  private final String queue;
  private final String worker;
  private final ReceivedMessage message;
  private DeliveryOutcome outcome = DeliveryOutcome.UNKNOWN;
  private Optional<String> errorType = Optional.empty();

  DeliveryContext(String queue, String worker, ReceivedMessage message) {
    super(GETTER);
    this.queue = queue;
    this.worker = worker;
    this.message = message;
    setCarrier(message);
  }

  /** The queue's name. */
  public String queue() {
    return queue;
  }

  /** The worker's id. */
  public String worker() {
    return worker;
  }

  /** The message, with its body: what goes into a trace of it is up to the convention. */
  public ReceivedMessage message() {
    return message;
  }

  /** What the attempt came to; {@link DeliveryOutcome#UNKNOWN} before its end. */
  public DeliveryOutcome outcome() {
    return outcome;
  }

  /** The class of what was thrown, if the attempt failed with an exception. */
  public Optional<String> errorType() {
    return errorType;
  }

  void cameTo(DeliveryOutcome result, @Nullable Throwable thrown) {
    outcome = result;
    errorType = Optional.ofNullable(thrown).map(t -> t.getClass().getName());
  }
}
