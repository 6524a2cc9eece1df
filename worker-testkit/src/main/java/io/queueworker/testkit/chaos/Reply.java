package io.queueworker.testkit.chaos;

import io.queueworker.timing.Timing.WaitPoint;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The answer to one request to a modelled service, which one side waits for and the other gives.
 *
 * <p>Not thread-safe, and need not be: simulated threads run one at a time.
 *
 * @param <A> what the service answers
 */
final class Reply<A> {

  private final ReentrantLock lock = new ReentrantLock();
  private final WaitPoint given;
  private final Optional<StoreException> refusal;
  private final BiConsumer<Reply<A>, Runnable> way;
  private @Nullable A value;
  private @Nullable StoreException failure;
  private boolean done;

  /**
   * @param refusal what the service is to answer instead of doing what it is asked
   * @param way takes the answer back to the client
   */
  Reply(Line line, Optional<StoreException> refusal, BiConsumer<Reply<A>, Runnable> way) {
    this.given = line.machine().waitPoint(lock);
    this.refusal = refusal;
    this.way = way;
  }

  /** What the service is to answer instead of doing what it is asked. */
  Optional<StoreException> refusal() {
    return refusal;
  }

  /** The service answers. */
  void answer(A answer) {
    way.accept(this, () -> value = answer);
  }

  /** The service fails. */
  void fail(StoreException why) {
    way.accept(this, () -> failure = why);
  }

  /** The connection breaks instead of the answer. */
  void lose() {
    failure = Line.lost("the connection closed before the answer came");
  }

  /** The answer arrives. */
  void arrive(Runnable content) {
    lock.lock();
    try {
      content.run();
      done = true;
      given.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits for the answer; false when none came in time. */
  boolean await(Line line, long nanos) throws InterruptedException {
    lock.lock();
    try {
      long until = line.machine().nanoTime() + nanos;
      while (!done) {
        long left = until - line.machine().nanoTime();
        if (left <= 0) {
          return false;
        }
        given.await(left);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** What arrived. */
  A content() {
    if (failure != null) {
      throw failure;
    }
    if (value == null) {
      throw new IllegalStateException("a reply without content");
    }
    return value;
  }
}
