package io.queueworker.receive;

import io.queueworker.handle.RunPermit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The permit of one message: taken by the receive that brought it, given back once.
 *
 * <pre>
 * TAKEN ◄──its turn comes── PARKED          a message that only waits for those before it takes no room from others
 *   │  └──has to wait──────►   │
 *   └────────► BACK ◄──────────┘            the worker has no more to do with it
 * </pre>
 *
 * <p>Thread-safe.
 */
public final class Permit implements RunPermit {

  private enum State {
    TAKEN,
    PARKED,
    BACK
  }

  private final Permits permits;
  private final AtomicReference<State> state = new AtomicReference<>(State.TAKEN);

  Permit(Permits permits) {
    this.permits = permits;
  }

  @Override
  public void park() {
    if (state.compareAndSet(State.TAKEN, State.PARKED)) {
      permits.park();
    }
  }

  @Override
  public void takeAgain() {
    if (state.compareAndSet(State.PARKED, State.TAKEN)) {
      // The message for which it waited has ended or is about to, and brings its own permit back.
      permits.takeParked();
    }
  }

  @Override
  public void giveBack() {
    switch (state.getAndSet(State.BACK)) {
      case TAKEN -> permits.release(1);
      case PARKED -> permits.dropParked();
      case BACK -> {
        // Once is enough.
      }
    }
  }
}
