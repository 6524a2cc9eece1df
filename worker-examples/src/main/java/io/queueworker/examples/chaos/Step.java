package io.queueworker.examples.chaos;

import java.util.Locale;

/** A step of a worker that it reports to its parent, as a line on its standard output. */
enum Step {
  /** The worker receives from now on. No message. */
  READY,
  /** The worker noticed that it stood still. No message; the number is milliseconds. */
  GAP,
  /** A message came; the number is its receive count. */
  RECEIVED,
  /** The handler starts. */
  STARTED,
  /** The handler wrote a part of the effect, in the open transaction; the number is the part. */
  WROTE,
  /** The handler returned; the commit comes next. */
  RETURNED,
  /** The effect is durable; the delete comes next. */
  COMMITTED,
  /** A redelivery was recognised; the delete comes next. */
  SUPPRESSED,
  /** The message waits, since another attempt at its key is under way or the database is not there. */
  HELD_BACK,
  /** An extension is sent. */
  EXTENDING,
  /** The message is deleted. */
  DELETED,
  /** The message was released. */
  RELEASED,
  /** The lease is lost. */
  LOST;

  /** The word for it in a report. */
  String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
