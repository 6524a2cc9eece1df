package io.queueworker.observe;

import io.queueworker.gate.DriverWords;
import org.jspecify.annotations.Nullable;

/** Other people's text made fit for a log line of ours. Stateless. */
final class OneLine {

  private static final int LONGEST = 500;

  private OneLine() {}

  /** The text without control characters, so that nobody can forge a line, and cut after {@value #LONGEST} characters. */
  static String of(@Nullable String text) {
    if (text == null) {
      return "no reason given";
    }
    StringBuilder line = new StringBuilder(Math.min(text.length(), LONGEST + 1));
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (line.length() == LONGEST) {
        return line.append('…').toString();
      }
      line.append(Character.isISOControl(c) || c == '\u2028' || c == '\u2029' ? ' ' : c);
    }
    return line.toString();
  }

  /** The exception's class and message, without a password that a driver quotes. */
  static String of(Throwable thrown) {
    String message = thrown.getMessage();
    String name = thrown.getClass().getName();
    return message == null ? name : of(DriverWords.masked(name + ": " + message));
  }

  /**
   * The exception's class, those of its causes, and where it was thrown, but no message: a decoder's usually quotes the
   * body.
   */
  static String withoutMessage(Throwable thrown) {
    StringBuilder line = new StringBuilder(thrown.getClass().getName());
    Throwable cause = thrown.getCause();
    for (int depth = 0; cause != null && depth < 5; depth++) {
      line.append(" caused by ").append(cause.getClass().getName());
      cause = cause.getCause();
    }
    StackTraceElement[] trace = thrown.getStackTrace();
    return trace.length == 0 ? line.toString() : line.append(" at ").append(trace[0]).toString();
  }
}
