package io.queueworker.testkit.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queueworker.MessageHandler;
import io.queueworker.QueueWorker;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** The example in the docs of {@link StrictSqs}. */
class StrictSqsExampleTest {

  @Test
  void three_failed_deletes_leave_nothing_behind() {
    Set<String> handled = ConcurrentHashMap.newKeySet();
    MessageHandler<String> handler = delivery -> handled.add(delivery.body());

    try (StrictSqs sqs = StrictSqs.start()) {
      StrictQueue orders = sqs.queue("orders").visibility(Duration.ofSeconds(10)).maxReceiveCount(3).create();
      ScriptedFault outage = sqs.next(3, Operation.DELETE, HttpFault.error(ServiceError.internalFailure()));
      try (QueueWorker worker =
          QueueWorker.of(orders.connect()).handler(handler).pollWait(Duration.ofSeconds(1)).start()) {
        orders.send("a", "b", "c");
        orders.awaitEmpty(Duration.ofSeconds(30));
      }
      assertThat(outage.fired()).isEqualTo(3);
      assertThat(sqs.trespasses()).isEmpty();
    }
    assertThat(handled).containsExactlyInAnyOrder("a", "b", "c");
  }

  /** A condition that throws is a bug of the test; its client is told at once instead of waiting for its timeout. */
  @Test
  void a_condition_that_throws_ends_the_call_and_the_close_tells() {
    for (Throwable bug : List.of(new IllegalStateException("a bug of the test"), new AssertionError("a bug too"))) {
      StrictSqs sqs = StrictSqs.start();
      try (var client = Calls.plain(sqs)) {
        StrictQueue queue = sqs.queue("q").create();
        sqs.always(call -> Calls.thrown(bug), HttpFault.none());
        assertThatThrownBy(
            () -> client.sendMessage(
                call -> call.queueUrl(queue.url()).messageBody("a")
                    .overrideConfiguration(o -> o.apiCallTimeout(Calls.LONG))))
            .hasStackTraceContaining("reset");
        assertThatThrownBy(sqs::close).isInstanceOf(IllegalStateException.class).hasCause(bug);
      }
      sqs.close();
    }
  }
}
