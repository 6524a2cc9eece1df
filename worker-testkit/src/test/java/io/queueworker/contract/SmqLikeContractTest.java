package io.queueworker.contract;

import io.queueworker.testkit.contract.LongHoldContract;
import io.queueworker.testkit.contract.MessageQueueContract;
import io.queueworker.testkit.contract.QueueTest;
import io.queueworker.testkit.contract.SubjectSettings;
import io.queueworker.testkit.simulation.SimulatedQueue;

/** The simulated queue in the manner of Alibaba Cloud SMQ keeps the contract. */
class SmqLikeContractTest implements MessageQueueContract, LongHoldContract {

  @Override
  public void withQueue(SubjectSettings settings, QueueTest test) {
    SimulatedSubject.on(SimulatedQueue::smqLike, settings, test);
  }
}
