package io.queueworker.queue.sqs;

import java.time.Duration;
import java.util.function.Consumer;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;

/** How durations go into requests. Stateless. */
final class SqsCalls {

  private static final long MOST_SECONDS = 43_200;
  private static final Duration SHORTEST_TIMEOUT = Duration.ofMillis(1);

  private SqsCalls() {}

  /** Rounded up to the whole seconds of the wire and clamped to the 0 to 43,200 that SQS takes. */
  static int wholeSeconds(Duration duration) {
    long seconds = Math.clamp(duration.getSeconds(), -1, MOST_SECONDS);
    return (int) Math.clamp(duration.getNano() > 0 ? seconds + 1 : seconds, 0, MOST_SECONDS);
  }

  /** The settings of a request that ends after the given time, counting everything that the SDK does for it. */
  static Consumer<AwsRequestOverrideConfiguration.Builder> within(Duration timeout) {
    // The SDK counts milliseconds, and takes zero for an error.
    Duration usable = timeout.compareTo(SHORTEST_TIMEOUT) < 0 ? SHORTEST_TIMEOUT : timeout;
    // One timer and not two: this one counts for every try of the call together.
    return override -> override.apiCallTimeout(usable);
  }
}
