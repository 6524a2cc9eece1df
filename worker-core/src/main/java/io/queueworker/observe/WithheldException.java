package io.queueworker.observe;

/**
 * What a trace is told instead of an exception whose message may quote a message's body: a decoder's or a key function's. It
 * names the class and the place, and has the stack trace of the other.
 */
final class WithheldException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  WithheldException(Throwable other) {
    super(OneLine.withoutMessage(other) + "; its message is withheld, since it may quote the body");
    setStackTrace(other.getStackTrace());
  }
}
