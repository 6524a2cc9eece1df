package io.queueworker.gate;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The keys whose effect happened here and whose completion the store did not answer, the latest {@value #MOST} of them: their
 * next admission completes them before it asks anything else, so that the effect is not made again.
 *
 * <p>Thread-safe.
 */
final class Unanswered {
  private static final int MOST = 10_000;

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<GateKey, String> owners = new LinkedHashMap<>();

  void add(GateKey key, String owner) {
    lock.lock();
    try {
      owners.put(key, owner);
      if (owners.size() > MOST) {
        owners.remove(owners.keySet().iterator().next());
      }
    } finally {
      lock.unlock();
    }
  }

  /** The token with which the key is to be completed. */
  Optional<String> ownerOf(GateKey key) {
    lock.lock();
    try {
      return Optional.ofNullable(owners.get(key));
    } finally {
      lock.unlock();
    }
  }

  void remove(GateKey key) {
    lock.lock();
    try {
      owners.remove(key);
    } finally {
      lock.unlock();
    }
  }
}
