package io.queueworker.contract;

import io.queueworker.testkit.contract.LongHoldContract;
import io.queueworker.testkit.contract.MessageQueueContract;
import io.queueworker.testkit.contract.QueueTest;
import io.queueworker.testkit.contract.SqsQueueContract;
import io.queueworker.testkit.contract.SubjectSettings;
import io.queueworker.testkit.simulation.SimulatedQueue;

/** The simulated standard queue keeps the contract. */
class SimulatedStandardContractTest implements MessageQueueContract, SqsQueueContract, LongHoldContract {

  @Override
  public void withQueue(SubjectSettings settings, QueueTest test) {
    SimulatedSubject.on(SimulatedQueue::standard, settings, test);
  }
}
