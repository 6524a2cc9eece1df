package io.queueworker.testkit.endpoint;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queueworker.testkit.endpoint.EndpointCall.Entry;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * What a call did.
 *
 * @param body the answer to it
 * @param entries its messages, for the log
 */
record Effect(ObjectNode body, List<Entry> entries) {

  /** Does what a call asks for, now or when the time comes. */
  @FunctionalInterface
  interface Maker {

    /**
     * Called with the lock of the engines held.
     *
     * @param call the call as it arrived
     * @param fault decides about entries that fail by script
     * @throws Refusal when the service refuses the whole call, which then had no effect
     */
    CompletableFuture<Effect> make(ApiRequest request, EndpointCall call, HttpFault fault);
  }

  /** A call about no message, answered at once. */
  static CompletableFuture<Effect> of(ObjectNode body) {
    return CompletableFuture.completedFuture(new Effect(body, List.of()));
  }

  /** Names it without the answer. */
  @Override
  public String toString() {
    return "Effect" + entries;
  }
}
