package io.queueworker.integration;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;

/**
 * A data source that interrupts a handler's thread once, at a chosen call. Only virtual threads count as handlers'.
 *
 * <p>Thread-safe.
 */
final class InterruptingDataSource {

  /** A call of a handler's thread. */
  enum At {
    /** It asks the pool for a connection. */
    ASKING,
    /** It has got one, so that the next statement finds the flag set. */
    GOT,
    /** It commits. */
    COMMIT
  }

  private final DataSource pool;
  private final At at;
  private final int connection;
  private final AtomicReference<Thread> interrupted = new AtomicReference<>();
  private final Map<Thread, Integer> asked = new ConcurrentHashMap<>();

  /**
   * @param connection the number of the connection, from 1, among those that the thread asks for
   */
  InterruptingDataSource(DataSource pool, At at, int connection) {
    this.pool = pool;
    this.at = at;
    this.connection = connection;
  }

  /** The id of the message whose run was interrupted, which ends its thread's name; empty before. */
  Optional<String> victim() {
    return Optional.ofNullable(interrupted.get()).map(thread -> thread.getName().replaceFirst(".*-handler-", ""));
  }

  DataSource dataSource() {
    return (DataSource) Proxy.newProxyInstance(
        InterruptingDataSource.class.getClassLoader(),
        new Class<?>[]{DataSource.class},
        (proxy, method, arguments) -> method.getName().equals("getConnection")
            ? connection(method, arguments)
            : invoke(method, pool, arguments));
  }

  private Object connection(Method method, Object[] arguments) throws Throwable {
    int number = asked.merge(Thread.currentThread(), 1, Integer::sum);
    interrupt(At.ASKING, number);
    Connection real = (Connection) invoke(method, pool, arguments);
    interrupt(At.GOT, number);
    return Proxy.newProxyInstance(
        InterruptingDataSource.class.getClassLoader(),
        new Class<?>[]{Connection.class},
        (proxy, call, values) -> {
          if (call.getName().equals("commit")) {
            interrupt(At.COMMIT, number);
          }
          return invoke(call, real, values);
        });
  }

  private void interrupt(At now, int number) {
    Thread thread = Thread.currentThread();
    if (now == at && number == connection && thread.isVirtual() && interrupted.compareAndSet(null, thread)) {
      thread.interrupt();
    }
  }

  private static Object invoke(Method method, Object target, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
