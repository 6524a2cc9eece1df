package io.queueworker.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.testkit.contract.FifoQueueContract;
import io.queueworker.testkit.contract.LongHoldContract;
import io.queueworker.testkit.contract.MessageQueueContract;
import io.queueworker.testkit.contract.QueueTest;
import io.queueworker.testkit.contract.SqsQueueContract;
import io.queueworker.testkit.contract.SubjectSettings;
import io.queueworker.testkit.simulation.SimulatedQueue;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The simulated FIFO queue keeps the contract. */
class SimulatedFifoContractTest
    implements MessageQueueContract, SqsQueueContract, FifoQueueContract, LongHoldContract {

  @Override
  public void withQueue(SubjectSettings settings, QueueTest test) {
    SimulatedSubject.on((timing, name) -> SimulatedQueue.fifo(timing, name + ".fifo"), settings, test);
  }

  @Test
  void a_repeated_send_is_a_new_message_after_five_minutes() throws Exception {
    withQueue(
        SubjectSettings.visibility(Duration.ofHours(1)),
        queue -> {
          String first = queue.sendOnce("a", "g", "once");
          queue.pass(Duration.ofMinutes(5).minusMillis(1));
          assertThat(queue.sendOnce("a", "g", "once")).isEqualTo(first);
          queue.pass(Duration.ofMillis(2));
          assertThat(queue.sendOnce("a", "g", "once")).isNotEqualTo(first);
          assertThat(queue.counts().visible()).isEqualTo(2);
        });
  }
}
