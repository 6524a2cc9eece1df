package io.queueworker.testkit.endpoint;

import io.queueworker.testkit.engine.Alarm;
import io.queueworker.testkit.engine.QueueEngine;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The queues of an endpoint by name. Guarded by the lock of the engines. */
final class Queues {

  private static final String ACCOUNT = "000000000000";
  private static final String FIFO = ".fifo";
  private static final String NAME = "[A-Za-z0-9_-]{1,80}";
  private static final long WAIT_AFTER_DELETE = TimeUnit.SECONDS.toNanos(60);

  private final Map<String, ServedQueue> queues = new TreeMap<>();
  private final Map<String, Long> deletedAt = new HashMap<>();
  private final String baseUrl;
  private final Alarm alarm;

  /**
   * No queues.
   *
   * @param baseUrl the endpoint's address, without a slash at its end
   */
  Queues(String baseUrl, Alarm alarm) {
    this.baseUrl = baseUrl;
    this.alarm = alarm;
  }

  /** The time of the engines. */
  long now() {
    return alarm.now();
  }

  /** The queue that a call is about. */
  ServedQueue of(ApiRequest request) {
    request.required(request.parameters().has("QueueName") ? "QueueName" : "QueueUrl");
    return named(request.queueName());
  }

  /** The queue of that name. */
  ServedQueue named(String name) {
    ServedQueue queue = queues.get(name);
    if (queue == null) {
      throw new Refusal(ServiceError.queueDoesNotExist());
    }
    return queue;
  }

  /** The queue of that name; null without one. */
  @Nullable
  ServedQueue find(String name) {
    return queues.get(name);
  }

  /** The queue with that ARN; null without one. */
  @Nullable
  ServedQueue byArn(String arn) {
    return queues.values().stream().filter(queue -> queue.engine.arn().equals(arn)).findFirst().orElse(null);
  }

  /** All queues, by name. */
  List<ServedQueue> all() {
    return new ArrayList<>(queues.values());
  }

  /** Makes a queue that is not there, without putting it on the list. */
  ServedQueue newQueue(String name, boolean fifo, SplittableRandom draws) {
    requireName(name, fifo);
    Long deleted = deletedAt.get(name);
    Refusal.require(
        deleted == null || alarm.now() - deleted >= WAIT_AFTER_DELETE, ServiceError.queueDeletedRecently());
    QueueEngine engine = fifo ? QueueEngine.fifo(name, draws) : QueueEngine.standard(name, draws);
    engine.messageIds(() -> UUID.randomUUID().toString());
    return new ServedQueue(engine, baseUrl + "/" + ACCOUNT + "/" + name, alarm);
  }

  /** Lets calls find a queue. */
  void add(ServedQueue queue) {
    queues.put(queue.name(), queue);
  }

  /** Deletes a queue; receives that wait at it end with nothing. */
  void remove(ServedQueue queue) {
    queues.remove(queue.name());
    deletedAt.put(queue.name(), alarm.now());
    queue.polls.end();
  }

  /** Ends every receive that waits. */
  void end() {
    all().forEach(queue -> queue.polls.end());
  }

  private static void requireName(String name, boolean fifo) {
    if (fifo) {
      boolean fits = name.endsWith(FIFO) && name.length() <= 80 && name.replace(FIFO, "").matches(NAME);
      Refusal.require(
          fits,
          ServiceError.invalidParameterValue(
              "The name of a FIFO queue can only include alphanumeric characters, hyphens, or underscores, must end with"
                  + " .fifo suffix and be 1 to 80 in length."));
    } else {
      Refusal.require(
          name.matches(NAME),
          ServiceError.invalidParameterValue(
              "Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length"));
    }
  }
}
