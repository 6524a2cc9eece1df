package io.queueworker.testkit.chaos;

import io.queueworker.testkit.simulation.CallKind;
import java.time.Duration;

/** One disturbance of a plan: what happens, and when. Each prints as one line. */
public sealed interface ChaosStep {

  /** The kind of disturbance, in words that are the same for all of the kind. */
  String kind();

  /**
   * Something goes wrong with the n-th call of a kind to a queue.
   *
   * @param length how long what the trouble names takes
   */
  record OnQueue(CallKind call, int nth, Trouble trouble, Duration length) implements ChaosStep {
    @Override
    public String kind() {
      return "queue " + call + " " + trouble;
    }

    @Override
    public String toString() {
      return trouble + " for " + Text.of(length) + " at " + call + " " + nth + " to the queue";
    }
  }

  /** Something goes wrong with the n-th call of a kind to a modelled service. */
  record OnService(ServiceCall call, int nth, Trouble trouble, Duration length) implements ChaosStep {
    @Override
    public String kind() {
      return "service " + call + " " + trouble;
    }

    @Override
    public String toString() {
      return trouble + " for " + Text.of(length) + " at " + call + " " + nth;
    }
  }

  /**
   * A worker's machine dies or stands still inside the worker's n-th event of a kind, and with it at that very step.
   *
   * @param event the kind of event, such as {@code Committed}
   * @param length how long it stands still; zero when it dies
   */
  record OnEvent(String event, int nth, Duration length) implements ChaosStep {
    @Override
    public String kind() {
      return (length.isZero() ? "kill at " : "freeze at ") + event;
    }

    @Override
    public String toString() {
      return kind() + " " + nth + (length.isZero() ? "" : " for " + Text.of(length));
    }
  }

  /** Something happens to a worker or its machine at a point of virtual time. */
  record OnWorker(Duration at, int worker, Jolt jolt, Duration length) implements ChaosStep {
    @Override
    public String kind() {
      return "worker " + jolt;
    }

    @Override
    public String toString() {
      return "at " + Text.of(at) + " worker " + worker + ": " + jolt + " " + Text.of(length);
    }
  }

  /** What can happen to a worker or its machine. */
  enum Jolt {
    /** Its threads stand still for this long. */
    FREEZE,
    /** Its threads and its monotonic clock stand still for this long. */
    SUSPEND,
    /** Its wall clock leaps by this much. */
    LEAP,
    /** It dies. */
    KILL,
    /** The worker is closed within this budget, and another one starts on a new machine. */
    CLOSE,
    /** The worker is paused by hand for this long. */
    PAUSE
  }

  /**
   * Something happens to what all share, at a point of virtual time.
   *
   * @param message which message it concerns, where it concerns one
   */
  record OnWorld(Duration at, Upset upset, int message, Duration length) implements ChaosStep {
    @Override
    public String kind() {
      return "world " + upset;
    }

    @Override
    public String toString() {
      return "at " + Text.of(at) + ": " + upset + (upset == Upset.ROW_LOCKED ? " of message " + message : "") + " "
          + Text.of(length);
    }
  }

  /** What can happen to what all share. */
  enum Upset {
    /** The database is down for this long; what was not committed is gone. */
    DATABASE_DOWN,
    /** Every call to the database takes this much longer, for a minute. */
    DATABASE_SLOW,
    /** All connections to the database break. */
    CONNECTIONS_CUT,
    /** A transaction of somebody else holds the row of a message's key for this long. */
    ROW_LOCKED,
    /** The permission to receive is missing for this long. */
    RECEIVE_DENIED,
    /** The permission to extend and release is missing for this long. */
    EXTEND_DENIED,
    /** The permission to delete is missing for this long. */
    DELETE_DENIED,
    /** For this long the queues hand messages out twice, bring fewer than they could, and bring deleted ones again. */
    QUEUE_SLOPPY,
    /** The queue's visibility timeout is set to this. */
    VISIBILITY_SET,
    /** The clock of the store that keeps a leased gate's records leaps ahead by this much. */
    STORE_LEAP
  }

  /** A run of a handler goes in a certain way; other runs take a moment and go well. */
  record OnHandler(int message, int run, Act act, Duration length) implements ChaosStep {
    @Override
    public String kind() {
      return "handler " + act;
    }

    @Override
    public String toString() {
      return "run " + run + " of message " + message + ": " + act + " " + Text.of(length);
    }
  }
}
