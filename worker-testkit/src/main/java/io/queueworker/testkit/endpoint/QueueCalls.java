package io.queueworker.testkit.endpoint;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queueworker.testkit.engine.QueueEngine;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** The calls about queues. Guarded by the lock of the engines. */
final class QueueCalls {

  private static final long BETWEEN_PURGES = TimeUnit.SECONDS.toNanos(60);

  private final Queues queues;
  private final AttributeRules attributes;
  private long seeds;

  QueueCalls(Queues queues, AttributeRules attributes) {
    this.queues = queues;
    this.attributes = attributes;
  }

  /** CreateQueue. */
  CompletableFuture<Effect> create(ApiRequest request, EndpointCall call, HttpFault fault) {
    String name = request.required("QueueName");
    Map<String, String> wanted = attributes(request);
    ServedQueue queue = queues.find(name);
    if (queue == null) {
      boolean fifo = Boolean.parseBoolean(wanted.getOrDefault(AttributeRules.FIFO, "false"));
      queue = queues.newQueue(name, fifo, new SplittableRandom(seeds++));
      attributes.set(queue, wanted);
      queues.add(queue);
    } else {
      Map<String, String> known = attributes.all(queue, queues.now());
      wanted.forEach(
          (attribute, value) -> Refusal.require(
              value.equals(known.getOrDefault(attribute, value)), ServiceError.queueAlreadyExists(attribute)));
    }
    return url(queue);
  }

  /** GetQueueUrl. */
  CompletableFuture<Effect> url(ApiRequest request, EndpointCall call, HttpFault fault) {
    return url(queues.of(request));
  }

  private static CompletableFuture<Effect> url(ServedQueue queue) {
    return Effect.of(ApiRequest.newObject().put("QueueUrl", queue.url));
  }

  /** DeleteQueue. */
  CompletableFuture<Effect> delete(ApiRequest request, EndpointCall call, HttpFault fault) {
    queues.remove(queues.of(request));
    return Effect.of(ApiRequest.newObject());
  }

  /** PurgeQueue. */
  CompletableFuture<Effect> purge(ApiRequest request, EndpointCall call, HttpFault fault) {
    ServedQueue queue = queues.of(request);
    long now = queues.now();
    Refusal.require(
        queue.purgedAt == null || now - queue.purgedAt >= BETWEEN_PURGES,
        ServiceError.purgeQueueInProgress(queue.name()));
    queue.purgedAt = now;
    queue.engine.purge();
    return Effect.of(ApiRequest.newObject());
  }

  /** GetQueueAttributes. */
  CompletableFuture<Effect> getAttributes(ApiRequest request, EndpointCall call, HttpFault fault) {
    ServedQueue queue = queues.of(request);
    List<String> wanted = request.texts("AttributeNames");
    wanted.forEach(AttributeRules::requireKnown);
    ObjectNode body = ApiRequest.newObject();
    if (!wanted.isEmpty()) {
      ObjectNode answer = body.putObject("Attributes");
      attributes
          .all(queue, queues.now())
          .forEach((name, value) -> {
            if (wanted.contains("All") || wanted.contains(name)) {
              answer.put(name, value);
            }
          });
    }
    return Effect.of(body);
  }

  /** SetQueueAttributes. */
  CompletableFuture<Effect> setAttributes(ApiRequest request, EndpointCall call, HttpFault fault) {
    attributes.set(queues.of(request), attributes(request));
    return Effect.of(ApiRequest.newObject());
  }

  /** ListQueues. */
  CompletableFuture<Effect> list(ApiRequest request, EndpointCall call, HttpFault fault) {
    String prefix = request.optional("QueueNamePrefix").orElse("");
    return urls("QueueUrls", queue -> queue.name().startsWith(prefix));
  }

  /** ListDeadLetterSourceQueues. */
  CompletableFuture<Effect> listDeadLetterSources(ApiRequest request, EndpointCall call, HttpFault fault) {
    QueueEngine target = queues.of(request).engine;
    return urls("queueUrls", queue -> queue.engine.settings().deadLetters() == target);
  }

  private CompletableFuture<Effect> urls(String field, Predicate<ServedQueue> which) {
    ObjectNode body = ApiRequest.newObject();
    ArrayNode urls = body.putArray(field);
    queues.all().stream().filter(which).forEach(queue -> urls.add(queue.url));
    return Effect.of(body);
  }

  private static Map<String, String> attributes(ApiRequest request) {
    Map<String, String> attributes = new LinkedHashMap<>();
    request.parameters().path("Attributes").properties()
        .forEach(attribute -> attributes.put(attribute.getKey(), attribute.getValue().asText()));
    return attributes;
  }
}
