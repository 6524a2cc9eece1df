package io.queueworker.testkit.endpoint;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Every call to the endpoint, in the order of arrival. Thread-safe; nothing blocks. */
final class CallLog {

  private final ReentrantLock lock = new ReentrantLock();
  private final List<EndpointCall> calls = new ArrayList<>();

  /** Keeps a call, which is made for its number. */
  EndpointCall add(Function<Integer, EndpointCall> numbered) {
    lock.lock();
    try {
      EndpointCall call = numbered.apply(calls.size() + 1);
      calls.add(call);
      return call;
    } finally {
      lock.unlock();
    }
  }

  /** Keeps what became of a call. */
  void update(int number, UnaryOperator<EndpointCall> change) {
    lock.lock();
    try {
      calls.set(number - 1, change.apply(calls.get(number - 1)));
    } finally {
      lock.unlock();
    }
  }

  /** All so far, each as far as it has come. */
  List<EndpointCall> calls() {
    lock.lock();
    try {
      return List.copyOf(calls);
    } finally {
      lock.unlock();
    }
  }
}
