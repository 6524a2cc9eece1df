package io.queueworker.contract;

import io.queueworker.testkit.contract.FifoQueueContract;
import io.queueworker.testkit.contract.LongHoldContract;
import io.queueworker.testkit.contract.MessageQueueContract;
import io.queueworker.testkit.contract.QueueTest;
import io.queueworker.testkit.contract.SqsQueueContract;
import io.queueworker.testkit.contract.SubjectSettings;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A FIFO queue of the strict endpoint, through {@code SqsQueue}, keeps the contract. */
@Execution(ExecutionMode.CONCURRENT)
class StrictFifoContractTest
    implements MessageQueueContract, SqsQueueContract, FifoQueueContract, LongHoldContract {

  @Override
  public void withQueue(SubjectSettings settings, QueueTest test) throws Exception {
    StrictSubjects.on(SqsSubject.newName() + ".fifo", settings, test);
  }
}
