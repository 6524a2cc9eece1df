package io.queueworker.gate;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Array;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Wrapper;
import org.jspecify.annotations.Nullable;

/**
 * The view of a connection that a handler gets: it cannot end the transaction, and it stops working when the handler ends.
 * What it hands out (statements, result sets, metadata) is a view too and leads back to this one.
 *
 * <p>For the thread that made it; {@link #end()} too. Others are refused.
 */
final class BoundConnection {
  private final Connection raw;
  private final Connection view;
  private final Thread owner = Thread.currentThread();
  private volatile boolean ended;
  private boolean rollbackOnly;

  BoundConnection(Connection raw) {
    this.raw = raw;
    this.view = view(Connection.class, new Session());
  }

  /** What the handler works with. */
  Connection view() {
    return view;
  }

  /** From here on everything is refused: the connection may already be another delivery's. */
  void end() {
    ended = true;
  }

  /** Whether the handler asked for a rollback. */
  boolean isRollbackOnly() {
    return rollbackOnly;
  }

  private static <T> T view(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(BoundConnection.class.getClassLoader(), new Class<?>[]{type}, handler));
  }

  private void checkUsable(String call) throws SQLException {
    if (ended) {
      throw new SQLException(
          call + " was called after the handler ended; the connection of the gate's transaction is its handler's alone",
          "08003");
    }
    if (Thread.currentThread() != owner) {
      throw new SQLException(
          call + " was called on thread \"" + Thread.currentThread().getName() + "\", but the connection of the gate's"
              + " transaction belongs to \"" + owner.getName() + "\", the thread of its handler",
          "08003");
    }
  }

  private @Nullable Object call(Object target, Object source, Method method, Object @Nullable [] arguments)
      throws Throwable {
    checkUsable(method.getDeclaringClass().getSimpleName() + "." + method.getName());
    Object result;
    try {
      result = method.invoke(target, driversOwn(arguments));
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
    return switch (result) {
      case null -> null;
      case Connection connection -> view;
      case CallableStatement statement -> view(CallableStatement.class, new Part(statement, source));
      case PreparedStatement statement -> view(PreparedStatement.class, new Part(statement, source));
      case Statement statement -> view(Statement.class, new Part(statement, source));
      case Array array -> view(Array.class, new Part(array, source));
      case ResultSet rows -> view(ResultSet.class, new Part(rows, source));
      case DatabaseMetaData metaData -> view(DatabaseMetaData.class, new Part(metaData, source));
      default -> result;
    };
  }

  /** The arguments with the driver's array behind each view of one: a driver reads only its own. */
  private static Object @Nullable [] driversOwn(Object @Nullable [] arguments) {
    if (arguments == null) {
      return null;
    }
    Object[] own = arguments.clone();
    for (int i = 0; i < own.length; i++) {
      if (own[i] instanceof Array && Proxy.isProxyClass(own[i].getClass())
          && Proxy.getInvocationHandler(own[i]) instanceof Part part) {
        own[i] = part.target;
      }
    }
    return own;
  }

  /** Answers what is the view's own matter, or null when the target is to answer. */
  @SuppressWarnings("ReferenceEquality") // A view is equal to itself alone; asking it would come back here.
  private @Nullable Object own(Object proxy, Method method, Object @Nullable [] arguments, Object target)
      throws SQLException {
    return switch (method.getName()) {
      case "equals" -> arguments != null && proxy == arguments[0];
      case "hashCode" -> System.identityHashCode(proxy);
      // An array's text is its value.
      case "toString" -> target instanceof Array
          ? target.toString()
          : "view of " + target.getClass().getSimpleName() + " in the gate's transaction";
      case "isWrapperFor" -> {
        Class<?> type = (Class<?>) first(arguments);
        yield type.isInstance(proxy) || type.isInstance(target)
            || (target instanceof Wrapper wrapper && wrapper.isWrapperFor(type));
      }
      case "unwrap" -> {
        checkUsable(method.getDeclaringClass().getSimpleName() + ".unwrap");
        Class<?> type = (Class<?>) first(arguments);
        yield type.isInstance(proxy)
            ? proxy
            : type.isInstance(target) || !(target instanceof Wrapper wrapper) ? target : wrapper.unwrap(type);
      }
      default -> null;
    };
  }

  private static Object first(Object @Nullable [] arguments) throws SQLException {
    if (arguments == null || arguments.length == 0 || arguments[0] == null) {
      throw new SQLException("the argument is null");
    }
    return arguments[0];
  }

  /** The connection's calls. */
  private final class Session implements InvocationHandler {

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
      switch (method.getName()) {
        case "close", "beginRequest", "endRequest" -> {
          // Templates close what they get; the gate still needs it.
          return null;
        }
        case "isClosed" -> {
          return ended || raw.isClosed();
        }
        case "isValid" -> {
          if (ended) {
            return false;
          }
        }
        case "commit" -> {
          checkUsable("Connection.commit");
          throw refused("commit()", "return from the handler: the gate then commits its effect and its key together");
        }
        case "abort" -> throw refused("abort()", "throw from the handler: the gate then rolls back");
        case "setAutoCommit" -> {
          checkUsable("Connection.setAutoCommit");
          if (Boolean.TRUE.equals(first(arguments))) {
            throw refused("setAutoCommit(true)", "leave it off: the effect and its key commit together, at the end");
          }
          return null;
        }
        case "setTransactionIsolation" -> {
          checkUsable("Connection.setTransactionIsolation");
          throw refused(
              "setTransactionIsolation()", "set it on the data source given to the gate: the transaction has begun");
        }
        case "rollback" -> {
          if (arguments == null) {
            checkUsable("Connection.rollback");
            rollbackOnly = true;
            return null;
          }
        }
        default -> {
          Object answer = own(proxy, method, arguments, raw);
          if (answer != null) {
            return answer;
          }
        }
      }
      return call(raw, proxy, method, arguments);
    }

    private static SQLException refused(String call, String instead) {
      return new SQLException(call + " is not for the handler of a gate's transaction; " + instead, "25000");
    }
  }

  /** The calls of something that the connection handed out. */
  private final class Part implements InvocationHandler {
    private final Object target;
    private final Object source;

    /**
     * @param source the view that handed it out
     */
    Part(Object target, Object source) {
      this.target = target;
      this.source = source;
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
      String name = method.getName();
      if (ended && (name.equals("close") || name.equals("free"))) {
        // The gate closed the connection, and with it this, when the handler ended.
        return null;
      }
      Object answer = own(proxy, method, arguments, target);
      if (answer != null) {
        return answer;
      }
      if (name.equals("getStatement") && source instanceof Statement) {
        checkUsable("ResultSet.getStatement");
        return source;
      }
      return call(target, proxy, method, arguments);
    }
  }
}
