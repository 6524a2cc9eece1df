package io.queueworker.testkit.endpoint;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queueworker.testkit.endpoint.EndpointCall.Entry;
import io.queueworker.testkit.endpoint.EndpointCall.Outcome;
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

  /** How long a close waits for calls that are being answered; nothing of ours should take that long. */
  private static final Duration LAST_ANSWERS = Duration.ofSeconds(10);

  private static final Pattern MD5 = Pattern.compile("(\"MD5Of\\w+\":\")[0-9a-f]{32}");

  private final Timing timing;
  private final ReentrantLock engines;
  private final Operations operations;
  private final FaultScript script;
  private final CallLog log;
  private final Defects defects;
  private final ReentrantLock lock = new ReentrantLock();
  private final WaitPoint change;

  // Both guarded by lock.
  private boolean closed;

  /** Calls that have been read and have not come to their end. */
  private int underWay;

  /**
   * A flow into these operations.
   *
   * @param engines the lock of the engines, held for every effect and never while a call waits
   */
  CallFlow(
      Timing timing,
      ReentrantLock engines,
      Operations operations,
      FaultScript script,
      CallLog log,
      Defects defects) {
    this.timing = timing;
    this.engines = engines;
    this.operations = operations;
    this.script = script;
    this.log = log;
    this.defects = defects;
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
    count(1);
    try {
      serve(http, request);
    } catch (RuntimeException | Error ours) {
      // Such as a script's condition that throws: the client must not wait for an answer that never comes.
      defects.add(ours);
      http.reset();
      throw ours;
    } finally {
      count(-1);
    }
  }

  private void count(int calls) {
    lock.lock();
    try {
      underWay += calls;
      change.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void serve(HttpCall http, ApiRequest request) {
    EndpointCall call = arrived(request);
    FaultScript.Choice choice = script.choose(call);
    HttpFault fault = choice.fault();
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
      case NONE, LOSE_REPLY, HANG_BODY, CORRUPT_MD5 -> effect(http, request, call, choice);
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

  private void effect(HttpCall http, ApiRequest request, EndpointCall call, FaultScript.Choice choice) {
    HttpFault fault = choice.fault();
    Effect effect;
    try {
      effect = made(request, call, fault).join();
    } catch (Refusal refusal) {
      String code = refusal.error().code();
      log.update(call.number(), known -> known.with(known.entries().stream().map(e -> e.ended(false, code)).toList()));
      pause(fault.replyDelay());
      answerRefused(http, call, choice, refusal.error());
      return;
    }
    List<Entry> entries = effect.entries();
    log.update(call.number(), known -> known.with(entries));
    pause(fault.replyDelay());
    reply(http, call, choice, effect.body());
  }

  private void answerRefused(HttpCall http, EndpointCall call, FaultScript.Choice choice, ServiceError error) {
    switch (choice.fault().kind()) {
      case LOSE_REPLY -> {
        unanswered(call);
        http.reset();
      }
      case HANG_BODY -> {
        unanswered(call);
        http.answerUnfinished(error.status(), headers(error), body(error));
      }
      case CORRUPT_MD5 -> {
        choice.missed();
        refuse(http, call, error);
      }
      case NONE, RESET, LOSE_REQUEST, ERROR -> refuse(http, call, error);
    }
  }

  private CompletableFuture<Effect> made(ApiRequest request, EndpointCall call, HttpFault fault) {
    engines.lock();
    try {
      return operations.of(request).make(request, call, fault);
    } finally {
      engines.unlock();
    }
  }

  private void reply(HttpCall http, EndpointCall call, FaultScript.Choice choice, ObjectNode body) {
    byte[] bytes = ApiRequest.bytes(body);
    switch (choice.fault().kind()) {
      case LOSE_REPLY -> {
        unanswered(call);
        http.reset();
      }
      case HANG_BODY -> {
        unanswered(call);
        http.answerUnfinished(OK, headers(), bytes);
      }
      case CORRUPT_MD5 -> {
        String text = body.toString();
        String corrupted = corrupted(text);
        if (corrupted.equals(text)) {
          choice.missed();
        }
        answer(http, call, Checksums.utf8(corrupted));
      }
      case NONE, RESET, LOSE_REQUEST, ERROR -> answer(http, call, bytes);
    }
  }

  private void answer(HttpCall http, EndpointCall call, byte[] body) {
    log.update(call.number(), known -> known.ended(Outcome.ANSWERED, ""));
    http.answer(OK, headers(), body);
  }

  private static String corrupted(String body) {
    return MD5.matcher(body).replaceAll("$1" + "0".repeat(32));
  }

  private void refuse(HttpCall http, EndpointCall call, ServiceError error) {
    log.update(call.number(), known -> known.ended(Outcome.REFUSED, error.code()));
    http.answer(error.status(), headers(error), body(error));
  }

  private static byte[] body(ServiceError error) {
    return ApiRequest.bytes(
        ApiRequest.newObject().put("__type", "com.amazonaws.sqs#" + error.shape()).put("message", error.message()));
  }

  private static Map<String, String> headers(ServiceError error) {
    Map<String, String> headers = headers();
    headers.put("x-amzn-query-error", error.code() + ";" + (error.senderFault() ? "Sender" : "Receiver"));
    return headers;
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

  /**
   * Waits until all calls that wait have been answered, once this is closed and the queues have ended. A server that stops in the
   * middle of an answer can wait for that answer for good: its selector cancels it, and would itself have to tell that it ended.
   */
  void awaitAnswered() {
    long start = timing.nanoTime();
    lock.lock();
    try {
      long left = LAST_ANSWERS.toNanos();
      while (underWay > 0 && left > 0) {
        change.await(left);
        left = LAST_ANSWERS.toNanos() - (timing.nanoTime() - start);
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }
}
