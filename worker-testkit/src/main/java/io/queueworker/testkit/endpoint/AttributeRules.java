package io.queueworker.testkit.endpoint;

import com.fasterxml.jackson.databind.JsonNode;
import io.queueworker.queue.MessageCounts;
import io.queueworker.testkit.engine.QueueSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** A queue's attributes by the service's names, read and written. Guarded by the lock of the engines. */
final class AttributeRules {

  private static final String REDRIVE = "RedrivePolicy";
  static final String FIFO = "FifoQueue";

  /** Those that are kept and answered, and change nothing here. */
  private static final Set<String> KEPT =
      Set.of(
          "Policy",
          "RedriveAllowPolicy",
          "KmsMasterKeyId",
          "KmsDataKeyReusePeriodSeconds",
          "SqsManagedSseEnabled",
          "FifoThroughputLimit");

  private final Queues queues;
  private final Instant start;

  AttributeRules(Queues queues, Instant start) {
    this.queues = queues;
    this.start = start;
  }

  /** Sets attributes, after all of them were found good. */
  void set(ServedQueue queue, Map<String, String> attributes) {
    List<Runnable> changes = new ArrayList<>();
    attributes.forEach((name, value) -> changes.add(change(queue, name, value)));
    changes.forEach(Runnable::run);
  }

  /** Makes a change that was found good. */
  private Runnable change(ServedQueue queue, String name, String value) {
    QueueSettings settings = queue.engine.settings();
    return switch (name) {
      case "VisibilityTimeout" -> {
        Duration timeout = seconds(name, value, 0, 43_200);
        yield () -> settings.visibility(timeout);
      }
      case "DelaySeconds" -> {
        Duration delay = seconds(name, value, 0, 900);
        yield () -> settings.delay(delay);
      }
      case "MessageRetentionPeriod" -> {
        Duration retention = seconds(name, value, 60, 1_209_600);
        yield () -> settings.retention(retention);
      }
      case "ReceiveMessageWaitTimeSeconds" -> {
        int wait = number(name, value, 0, 20);
        yield () -> queue.longPollSeconds = wait;
      }
      case "MaximumMessageSize" -> {
        int size = number(name, value, 1024, ServedQueue.MIB);
        yield () -> queue.maximumMessageSize = size;
      }
      case "ContentBasedDeduplication" -> {
        boolean on = fifoOnly(queue, name, value, "true", "false");
        yield () -> settings.contentBasedDeduplication(on);
      }
      case "DeduplicationScope" -> {
        boolean perGroup = fifoOnly(queue, name, value, "messageGroup", "queue");
        yield () -> settings.deduplicationPerGroup(perGroup);
      }
      case FIFO -> {
        Refusal.require(Boolean.parseBoolean(value) == queue.engine.isFifo(), invalid(name));
        yield () -> {};
      }
      case REDRIVE -> redrive(queue, value);
      default -> {
        Refusal.require(KEPT.contains(name), unknown(name));
        yield () -> queue.others.put(name, value);
      }
    };
  }

  private static boolean fifoOnly(ServedQueue queue, String name, String value, String on, String off) {
    Refusal.require(queue.engine.isFifo(), unknown(name));
    Refusal.require(value.equals(on) || value.equals(off), invalid(name));
    return value.equals(on);
  }

  private Runnable redrive(ServedQueue queue, String policy) {
    if (policy.isEmpty()) {
      return () -> queue.engine.settings().noRedrive();
    }
    JsonNode json =
        ApiRequest.parsed(policy)
            .orElseThrow(() -> refused(policy, "Redrive policy is not a valid JSON map."));
    ServedQueue target = queues.byArn(json.path("deadLetterTargetArn").asText());
    if (target == null) {
      throw refused(policy, "Dead letter target does not exist.");
    }
    if (target.engine.isFifo() != queue.engine.isFifo()) {
      throw refused(policy, "Dead-letter queue must be same type of queue as the source.");
    }
    String count = json.path("maxReceiveCount").asText();
    int times = count.matches("\\d{1,5}") ? Integer.parseInt(count) : 0;
    if (times < 1 || times > 1000) {
      throw refused(
          policy,
          "Invalid value for maxReceiveCount: " + count + ", valid values are from 1 to 1000 both inclusive.");
    }
    return () -> queue.engine.settings().redrive(times, target.engine);
  }

  private static Refusal refused(String policy, String why) {
    return new Refusal(
        ServiceError
            .invalidParameterValue("Value " + policy + " for parameter RedrivePolicy is invalid. Reason: " + why));
  }

  /** All attributes of a queue. */
  Map<String, String> all(ServedQueue queue, long now) {
    QueueSettings settings = queue.engine.settings();
    MessageCounts counts = queue.engine.counts(now);
    Map<String, String> all = new TreeMap<>(queue.others);
    all.put("QueueArn", queue.engine.arn());
    all.put("VisibilityTimeout", Long.toString(settings.visibility().toSeconds()));
    all.put("DelaySeconds", Long.toString(settings.delay().toSeconds()));
    all.put("MessageRetentionPeriod", Long.toString(settings.retention().toSeconds()));
    all.put("ReceiveMessageWaitTimeSeconds", Integer.toString(queue.longPollSeconds));
    all.put("MaximumMessageSize", Integer.toString(queue.maximumMessageSize));
    all.put("ApproximateNumberOfMessages", Long.toString(counts.visible()));
    all.put("ApproximateNumberOfMessagesNotVisible", Long.toString(counts.notVisible()));
    all.put("ApproximateNumberOfMessagesDelayed", Long.toString(counts.delayed()));
    all.put("CreatedTimestamp", Long.toString(start.getEpochSecond()));
    all.put("LastModifiedTimestamp", Long.toString(start.getEpochSecond()));
    if (queue.engine.isFifo()) {
      all.put(FIFO, "true");
      all.put("ContentBasedDeduplication", Boolean.toString(settings.isContentBasedDeduplication()));
      all.put("DeduplicationScope", settings.isDeduplicationPerGroup() ? "messageGroup" : "queue");
    }
    if (settings.maxReceiveCount().isPresent() && settings.deadLetters() != null) {
      all.put(
          REDRIVE,
          "{\"deadLetterTargetArn\":\"" + settings.deadLetters().arn() + "\",\"maxReceiveCount\":"
              + settings.maxReceiveCount().getAsInt() + "}");
    }
    return all;
  }

  /** The attributes that a call asks for. */
  static void requireKnown(String name) {
    Refusal.require(
        name.equals("All") || KEPT.contains(name) || ANSWERED.contains(name), unknown(name));
  }

  private static final Set<String> ANSWERED =
      Set.of(
          "QueueArn",
          "VisibilityTimeout",
          "DelaySeconds",
          "MessageRetentionPeriod",
          "ReceiveMessageWaitTimeSeconds",
          "MaximumMessageSize",
          "ApproximateNumberOfMessages",
          "ApproximateNumberOfMessagesNotVisible",
          "ApproximateNumberOfMessagesDelayed",
          "CreatedTimestamp",
          "LastModifiedTimestamp",
          FIFO,
          "ContentBasedDeduplication",
          "DeduplicationScope",
          REDRIVE);

  private static Duration seconds(String name, String value, int least, int most) {
    return Duration.ofSeconds(number(name, value, least, most));
  }

  private static int number(String name, String value, int least, int most) {
    int number = value.matches("\\d{1,9}") ? Integer.parseInt(value) : -1;
    Refusal.require(number >= least && number <= most, invalid(name));
    return number;
  }

  private static ServiceError invalid(String name) {
    return ServiceError.of("InvalidAttributeValue", 400, "Invalid value for the parameter " + name + ".");
  }

  private static ServiceError unknown(String name) {
    return ServiceError.of("InvalidAttributeName", 400, "Unknown Attribute " + name + ".");
  }
}
