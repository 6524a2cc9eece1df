package io.queueworker.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.FailureAction;
import io.queueworker.QueueWorker;
import io.queueworker.observe.LogContext;
import io.queueworker.observe.WorkerEvent.LeftForRedrive;
import io.queueworker.spec.Specs.MemoryGate;
import io.queueworker.spec.Specs.Seeds;
import io.queueworker.testkit.engine.NewMessage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.MDC;

/** What the log's context says on a handler's thread. */
class LogContextTest {

  @Seeds
  void user_code_of_an_attempt_logs_with_queue_message_receive_count_and_group(long seed) {
    Rig.run(
        seed,
        rig -> {
          String id = rig.queue.send(NewMessage.of("0").inGroup("blue")).id();
          Map<String, Map<String, String>> seen = new HashMap<>();
          List<Map<String, String>> afterwards = new ArrayList<>();
          QueueWorker worker = rig.worker()
              .decode(
                  body -> {
                    seen.put("decoder", ours());
                    return body;
                  })
              .failurePolicy(
                  failure -> {
                    seen.put("policy", ours());
                    return FailureAction.leaveForRedrive();
                  })
              .once(
                  new MemoryGate(true),
                  delivery -> {
                    seen.put("key", ours());
                    return delivery.id();
                  },
                  (delivery, effects) -> {
                    seen.put("handler", ours());
                    throw new IllegalStateException("always");
                  })
              .inlineListener(
                  (context, event) -> {
                    if (event instanceof LeftForRedrive) {
                      afterwards.add(ours());
                    }
                  })
              .start();
          rig.awaitCount(LeftForRedrive.class, 1);
          worker.close();

          assertThat(seen).containsOnlyKeys("decoder", "key", "handler", "policy");
          assertThat(seen.values()).allSatisfy(
              entries -> assertThat(entries).isEqualTo(
                  Map.of(
                      LogContext.QUEUE, "orders", LogContext.MESSAGE, id, LogContext.RECEIVE_COUNT, "1",
                      LogContext.GROUP, "blue")));
          // The same thread, after the run.
          assertThat(afterwards).containsExactly(Map.of());
        });
  }

  @Seeds
  void a_handler_that_clears_the_context_finds_it_again_in_the_next_attempt(long seed) {
    Rig.run(
        seed,
        rig -> {
          MemoryGate gate = new MemoryGate(true);
          gate.inProgress = 1;
          rig.send(1);
          List<Map<String, String>> seen = new ArrayList<>();
          QueueWorker worker = rig.worker()
              .once(
                  gate,
                  delivery -> {
                    seen.add(ours());
                    MDC.clear();
                    return delivery.id();
                  },
                  (delivery, effects) -> {})
              .start();
          rig.awaitEmpty();
          worker.close();

          assertThat(seen).hasSize(2).allSatisfy(
              entries -> assertThat(entries)
                  .containsOnlyKeys(LogContext.QUEUE, LogContext.MESSAGE, LogContext.RECEIVE_COUNT));
        });
  }

  /** The entries of this thread that are the worker's. */
  private static Map<String, String> ours() {
    Map<String, String> all = MDC.getCopyOfContextMap();
    Map<String, String> ours = new HashMap<>(all == null ? Map.of() : all);
    ours.keySet().removeIf(key -> !key.startsWith("queueworker."));
    return ours;
  }
}
