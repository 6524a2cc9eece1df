package io.queueworker.handle;

import io.queueworker.settle.Rejection;
import java.time.Duration;

/** How a run ended, and so what becomes of its message. */
sealed interface Ending {

  /** The effect is durable, or was already: delete. */
  record Delete(long committedAt) implements Ending {}

  /** Back to the queue after a delay. */
  record Release(Duration delay) implements Ending {}

  /** To the dead-letter queue, then deleted. */
  record Reject(Rejection why) implements Ending {}

  /** Nothing is sent: it comes back by itself. */
  record Leave() implements Ending {}

  /** The lease is lost: nothing is sent. */
  record Lost() implements Ending {}
}
