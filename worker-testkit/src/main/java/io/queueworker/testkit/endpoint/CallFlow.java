package io.queueworker.testkit.endpoint;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queueworker.testkit.endpoint.EndpointCall.Entry;
import io.queueworker.testkit.endpoint.EndpointCall.Outcome;
import io.queueworker.testkit.endpoint.HttpFault.Kind;
import io.queueworker.timing.Timing;
import io.queueworker.timing.Timing.WaitPoint;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;

/**
 * The way of one call: read, logged as it arrived, delayed, given its effect, answered; a fault of the script may stand in
 * for any of these steps. Every call has a thread of its own. Thread-safe.
 */
final class CallFlow implements AutoCloseable {

  private static final int OK = 200;
  private static final Pattern MD5 = Pattern.compile("(\"MD5Of\\w+\":\")[0-9a-f]{32}");

  private final Timing timing;
  private final ReentrantLock engines;
  private final Operations operations;
  private final FaultScript script;
  private final CallLog log;
  private final ReentrantLock lock = new ReentrantLock();
  private final WaitPoint change;
  private boolean closed;

  /**
   * A flow into these operations.
   *
   * @param engines the lock of the engines, held for every effect and never while a call waits
   */
  CallFlow(Timing timing, ReentrantLock engines, Operations operations, FaultScript script, CallLog log) {
    this.timing = timing;
    this.engines = engines;
    this.operations = operations;
    this.script = script;
    this.log = log;
    this.change = timing.waitPoint(lock);
  }

  /** Takes a call to its end. Blocks as long as the call waits. */
  void serve(HttpCall http) {
    ApiRequest request;
    try {
      request = ApiRequest.read(http);
    } catch (IOException goneBeforeItWasHere) {
      http.reset();
      return;
    }
    try {
      serve(http, request);
    } catch (RuntimeException ours) {
      // Such as a script's condition that throws: the client must not wait for an answer that never comes.
      http.reset();
      throw ours;
    }
  }

  private void serve(HttpCall http, ApiRequest request) {
    EndpointCall call = arrived(request);
    HttpFault fault = script.faultFor(call);
    pause(fault.requestDelay());
    switch (fault.kind()) {
      case RESET -> {
        unanswered(call);
        http.reset();
      }
      case LOSE_REQUEST -> unanswered(call);
      case ERROR -> {
        pause(fault.replyDelay());
        refuse(http, call, fault.error().orElseThrow());
      }
      case NONE, LOSE_REPLY, HANG_BODY, CORRUPT_MD5 -> effect(http, request, call, fault);
    }
  }

  private EndpointCall arrived(ApiRequest request) {
    engines.lock();
    try {
      return log.add(number -> operations.arrived(number, request));
    } finally {
      engines.unlock();
    }
  }

  private void effect(HttpCall http, ApiRequest request, EndpointCall call, HttpFault fault) {
    Effect effect;
    try {
      effect = made(request, call, fault).join();
    } catch (Refusal refusal) {
      String code = refusal.error().code();
      log.update(call.number(), known -> known.with(known.entries().stream().map(e -> e.ended(false, code)).toList()));
      pause(fault.replyDelay());
      if (fault.kind() == Kind.LOSE_REPLY) {
        unanswered(call);
        http.reset();
      } else {
        refuse(http, call, refusal.error());
      }
      return;
    }
    List<Entry> entries = effect.entries();
    log.update(call.number(), known -> known.with(entries));
    pause(fault.replyDelay());
    reply(http, call, fault, effect.body());
  }

  private CompletableFuture<Effect> made(ApiRequest request, EndpointCall call, HttpFault fault) {
    engines.lock();
    try {
      return operations.of(request).make(request, call, fault);
    } finally {
      engines.unlock();
    }
  }

  private void reply(HttpCall http, EndpointCall call, HttpFault fault, ObjectNode body) {
    byte[] bytes = ApiRequest.bytes(body);
    switch (fault.kind()) {
      case LOSE_REPLY -> {
        unanswered(call);
        http.reset();
      }
      case HANG_BODY -> {
        unanswered(call);
        http.answerUnfinished(OK, headers(), bytes);
      }
      case CORRUPT_MD5 -> answer(http, call, Checksums.utf8(corrupted(body)));
      case NONE, RESET, LOSE_REQUEST, ERROR -> answer(http, call, bytes);
    }
  }

  private void answer(HttpCall http, EndpointCall call, byte[] body) {
    log.update(call.number(), known -> known.ended(Outcome.ANSWERED, ""));
    http.answer(OK, headers(), body);
  }

  private static String corrupted(ObjectNode body) {
    return MD5.matcher(body.toString()).replaceAll("$1" + "0".repeat(32));
  }

  private void refuse(HttpCall http, EndpointCall call, ServiceError error) {
    log.update(call.number(), known -> known.ended(Outcome.REFUSED, error.code()));
    Map<String, String> headers = headers();
    headers.put("x-amzn-query-error", error.code() + ";" + (error.senderFault() ? "Sender" : "Receiver"));
    ObjectNode body =
        ApiRequest.newObject().put("__type", "com.amazonaws.sqs#" + error.shape()).put("message", error.message());
    http.answer(error.status(), headers, ApiRequest.bytes(body));
  }

  private void unanswered(EndpointCall call) {
    log.update(call.number(), known -> known.ended(Outcome.UNANSWERED, ""));
  }

  private static Map<String, String> headers() {
    Map<String, String> headers = new HashMap<>();
    headers.put("Content-Type", "application/x-amz-json-1.0");
    headers.put("x-amzn-RequestId", UUID.randomUUID().toString());
    return headers;
  }

  /** Waits, or until the endpoint closes. */
  private void pause(Duration length) {
    long start = timing.nanoTime();
    lock.lock();
    try {
      long left = length.toNanos();
      while (left > 0 && !closed) {
        change.await(left);
        left = length.toNanos() - (timing.nanoTime() - start);
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }

  /** Ends all pauses. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      change.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
