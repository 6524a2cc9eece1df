package io.queueworker.examples.chaos;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.queueworker.testkit.endpoint.EndpointCall;
import io.queueworker.testkit.endpoint.EndpointCall.Entry;
import io.queueworker.testkit.endpoint.Operation;
import io.queueworker.testkit.endpoint.StrictQueue;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the strict endpoint says about calls that changed a message which their receipt did not hold any more. */
final class TrespassLog {

  private TrespassLog() {}

  /**
   * One entry for each such message of a call: {@code messageId}, {@code receive}, {@code visibilitySeconds} that the call
   * asked for, {@code nanosAgo} that it arrived, {@code leaseEndedNanosAgo} that the receipt ceased to hold. The latter is up
   * to a poll's wait too early for a lease that was never extended: the log knows when a receive arrived, not when it was
   * answered.
   */
  static ArrayNode of(StrictQueue queue) {
    queue.counts(); // its own arrival is the end of the log, and now
    List<EndpointCall> calls = queue.server().calls();
    long now = calls.getLast().arrivedAt().toNanos();
    Map<String, Long> leaseEnds = new HashMap<>();
    ArrayNode found = new ObjectMapper().createArrayNode();
    for (EndpointCall call : calls) {
      for (Entry entry : call.entries()) {
        long arrived = call.arrivedAt().toNanos();
        String lease = entry.messageId() + " " + entry.receive();
        if (call.operation() == Operation.RECEIVE) {
          leaseEnds.put(lease, arrived + ChaosOptions.VISIBILITY.toNanos());
        } else if (call.operation() == Operation.CHANGE_VISIBILITY) {
          Duration visibility = entry.visibility().orElseThrow();
          if (entry.heldOnArrival()) {
            leaseEnds.put(lease, arrived + visibility.toNanos());
          } else {
            found.addObject()
                .put("messageId", entry.messageId())
                .put("receive", entry.receive())
                .put("visibilitySeconds", visibility.toSeconds())
                .put("nanosAgo", now - arrived)
                .put("leaseEndedNanosAgo", now - leaseEnds.getOrDefault(lease, arrived));
          }
        }
      }
    }
    return found;
  }
}
