package io.queueworker.queue;

import java.util.List;
import java.util.OptionalInt;

/**
 * The tasks by which a service moves all messages of one dead-letter queue to another queue. They give the messages new ids.
 * Every method blocks on I/O. Thread-safe.
 */
public interface MoveTasks {

  /**
   * Starts one.
   *
   * @param destination where to; never left to the service
   * @param perSecond the most messages a second, 1 to 500; empty leaves it to the service
   * @throws QueueException when it is denied, or refused because one runs already
   */
  MoveTask start(MessageQueue destination, OptionalInt perSecond);

  /**
   * The last ones, the newest first.
   *
   * @throws QueueException for every failure
   */
  List<MoveTask> list();

  /**
   * Stops a running one; gives about how many messages it has moved.
   *
   * @throws QueueException for every failure, also when it runs no more
   */
  long cancel(String handle);
}
