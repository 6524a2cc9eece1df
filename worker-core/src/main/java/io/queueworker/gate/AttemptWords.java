package io.queueworker.gate;

import io.queueworker.gate.Admission.Completion;
import io.queueworker.gate.Attempt.Outcome;
import java.sql.SQLException;

/** What an attempt says to people. Stateless. */
final class AttemptWords {

  /** Why an attempt that met another transaction is tried again. */
  static final String CONFLICT =
      "the database ended the transaction because of a conflict with another one, as it does at SERIALIZABLE and to end a"
          + " deadlock";

  static final String UNUSED =
      "the handler returned without opening the gate's transaction, so its effect was not in it and can happen"
          + " again after a crash; make the effect through connection() or dataSource() of the transaction that"
          + " the handler gets (said once)";

  static final String SWALLOWED =
      "the TransactionRunner returned although its work threw, so a part of the handler's effect may have been"
          + " committed without the key; the runner must roll back after every exception and pass it on";

  private AttemptWords() {}

  static IllegalStateException notRun() {
    return new IllegalStateException(
        "the TransactionRunner returned without having run its work; it must run it once, on the thread that calls");
  }

  static IllegalStateException notCommitted() {
    return new IllegalStateException(
        "the TransactionRunner returned, but the gate's row is not committed: the transaction was marked rollback-only, or"
            + " the connection was not the transaction's; throw from the handler to have it rolled back");
  }

  static String threwAfterCommit(Throwable thrown) {
    return "the effect is committed, but the TransactionRunner threw: " + DriverWords.of(thrown)
        + "; what the framework was to run after the commit may be missing, and the message does not come again for it";
  }

  static IllegalStateException runnerMisuse(Thread owner) {
    return new IllegalStateException(
        "the TransactionRunner must run its work once, on the thread \"" + owner.getName()
            + "\" that calls it; it ran it"
            + (Thread.currentThread() == owner
                ? " again, as a retry does: leave retries to the worker"
                : " on the thread \"" + Thread.currentThread().getName() + "\""));
  }

  static String unfinished(Completion by) {
    return "the gate's row of this key had been committed unfinished, by worker "
        + by.worker()
        + " for message "
        + by.messageId()
        + ", receive count "
        + by.receiveCount()
        + ", started at "
        + by.startedAt()
        + ": code of the handler committed on the gate's connection, as a native COMMIT or a MySQL DDL statement"
        + " does, and part of its effect may be durable; the key runs again. Remove that commit from the handler";
  }

  static IllegalStateException rolledBackByHandler() {
    return new IllegalStateException(
        "the handler called rollback() on the connection of the gate's transaction and then returned; throw"
            + " instead, so that the failure policy sees why");
  }

  static IllegalStateException rowGone() {
    return new IllegalStateException(
        "the gate's row of this key is gone from its transaction: SQL of the handler ended the transaction or"
            + " changed the gate's table; leave both to the gate");
  }

  static IllegalStateException rowRefused(Throwable failure) {
    return new IllegalStateException(
        "the database refused the gate's row of this key: "
            + DriverWords.messageOf(failure)
            + "; look at the constraints and triggers of the gate's table",
        failure);
  }

  static IllegalStateException interrupted(Throwable failure) {
    return new IllegalStateException("interrupted while the gate's transaction opened", failure);
  }

  static IllegalStateException wrongThread(Thread owner, boolean ended) {
    return new IllegalStateException(
        "the gate's transaction is for the thread of its handler, \""
            + owner.getName()
            + "\", until the handler ends; this is thread \""
            + Thread.currentThread().getName()
            + (ended ? "\" after the end" : "\""));
  }

  /** The failure of the statement that completes the key, with what the handler can have done to it. */
  static Throwable notCompleted(Throwable failure) {
    if ("25P02".equals(SqlFailure.sqlState(failure))) {
      return new IllegalStateException(
          "an SQL statement of the handler failed and the handler went on, but the database refuses to commit such a"
              + " transaction; let the exception pass, or use a savepoint",
          failure);
    }
    if (!(failure instanceof SQLException) || SqlFailure.lostConnection(failure)) {
      return failure;
    }
    return new IllegalStateException(
        "the gate's row of this key could not be completed: "
            + DriverWords.messageOf(failure)
            + "; if the handler changed the schema, the role or the gate's table, have it leave them as they are",
        failure);
  }

  /** What a handler gets that asks for a transaction which its key may not have. */
  static GateVerdictException refusal(Outcome outcome) {
    return switch (outcome) {
      case Outcome.AlreadyDone done ->
          new GateVerdictException(
              "the key is already completed, so the message only needs deleting; let this exception pass", null);
      case Outcome.Unavailable unavailable ->
          new GateVerdictException(
              "the gate's database cannot be reached, so the message is held and tried again; let this exception pass",
              unavailable.cause());
      case Outcome.RolledBack refused ->
          new GateVerdictException(
              "the database refused the gate's row of this key, so the message has failed; let this exception pass",
              refused.cause());
      default ->
          new GateVerdictException(
              "another attempt at the key is under way, so the message is held and tried again; let this exception pass",
              null);
    };
  }
}
