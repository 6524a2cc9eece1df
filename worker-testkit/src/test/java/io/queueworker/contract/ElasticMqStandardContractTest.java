package io.queueworker.contract;

import io.queueworker.testkit.contract.MessageQueueContract;
import io.queueworker.testkit.contract.QueueDifference;
import io.queueworker.testkit.contract.QueueTest;
import io.queueworker.testkit.contract.SqsQueueContract;
import io.queueworker.testkit.contract.SubjectSettings;
import io.queueworker.testkit.elasticmq.ElasticMq;
import io.queueworker.testkit.elasticmq.ElasticMqTest;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A standard queue on ElasticMQ, through {@code SqsQueue}, keeps the contract but for the known differences. */
@ElasticMqTest
@Execution(ExecutionMode.CONCURRENT)
class ElasticMqStandardContractTest implements MessageQueueContract, SqsQueueContract {

  private final ElasticMq server;

  ElasticMqStandardContractTest(ElasticMq server) {
    this.server = server;
  }

  @Override
  public void withQueue(SubjectSettings settings, QueueTest test) throws Exception {
    SqsSubject.on(
        server.createQueue(SqsSubject.newName(), settings.visibility(), settings.maxReceiveCount().orElse(0)), test);
  }

  @Override
  public Set<QueueDifference> differences() {
    return EnumSet.complementOf(EnumSet.of(QueueDifference.LAPSED_FIFO_DELETE_IS_DONE));
  }
}
