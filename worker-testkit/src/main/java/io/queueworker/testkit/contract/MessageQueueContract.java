package io.queueworker.testkit.contract;

import io.queueworker.queue.MessageQueue;

/**
 * The contract of {@link MessageQueue}: a test class that implements this interface runs it against queues of its own.
 *
 * {@snippet :
 * class OwnQueueTest implements MessageQueueContract {
 *   @Override
 *   public void withQueue(SubjectSettings settings, QueueTest test) throws Exception {
 *     try (OwnServiceQueue queue = service.create(settings.visibility(), settings.maxReceiveCount())) {
 *       test.on(new OwnSubject(queue));
 *     }
 *   }
 * }
 * }
 *
 * <p>The tests ask for what the queue's {@link MessageQueue#traits() traits} say. A queue that keeps order in message groups
 * passes {@link FifoQueueContract} too, one of Amazon SQS {@link SqsQueueContract}, and one whose time can be moved {@link
 * LongHoldContract}.
 *
 * <p>JUnit makes an instance of the class for each test. The tests wait for named states and have no upper bounds on elapsed
 * time; on a service in real time each takes some seconds at most.
 */
public interface MessageQueueContract extends ReceiveContract, VisibilityContract, DeleteContract, SendContract {}
