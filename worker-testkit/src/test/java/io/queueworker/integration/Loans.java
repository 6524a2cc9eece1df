package io.queueworker.integration;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;

/**
 * Counts a pool's connections that are lent and measures for how long each is away: from {@code getConnection()}'s return to
 * {@code close()}.
 *
 * <p>Thread-safe.
 */
final class Loans {
  private final AtomicInteger begun = new AtomicInteger();
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicLong longestNanos = new AtomicLong();
  private final DataSource watched;

  /** Watches what is lent through {@link #dataSource()}. */
  Loans(DataSource pool) {
    this.watched = proxy(DataSource.class, (method, arguments) -> {
      Object result = call(pool, method, arguments);
      return result instanceof Connection connection ? lend(connection) : result;
    });
  }

  /** The pool, watched. */
  DataSource dataSource() {
    return watched;
  }

  /** How many loans there were. */
  int begun() {
    return begun.get();
  }

  /** How many connections are away. */
  int open() {
    return open.get();
  }

  /** How long the longest loan that has ended took. */
  Duration longest() {
    return Duration.ofNanos(longestNanos.get());
  }

  private Connection lend(Connection connection) {
    long start = System.nanoTime();
    AtomicInteger closes = new AtomicInteger();
    begun.incrementAndGet();
    open.incrementAndGet();
    return proxy(Connection.class, (method, arguments) -> {
      if (method.getName().equals("close") && closes.getAndIncrement() == 0) {
        longestNanos.accumulateAndGet(System.nanoTime() - start, Math::max);
        open.decrementAndGet();
      }
      return call(connection, method, arguments);
    });
  }

  private static <T> T proxy(Class<T> type, Calls calls) {
    return type.cast(
        Proxy.newProxyInstance(
            Loans.class.getClassLoader(), new Class<?>[]{type},
            (proxy, method, arguments) -> calls.answer(method, arguments)));
  }

  private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  /** What a proxy does. */
  @FunctionalInterface
  private interface Calls {
    Object answer(Method method, Object[] arguments) throws Throwable;
  }
}
