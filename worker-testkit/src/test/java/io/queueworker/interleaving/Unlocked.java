package io.queueworker.interleaving;

/** A lock that keeps nobody out, to be put in the place of a real one. */
final class Unlocked {

  /** The expression that makes one. */
  static final String LOCK = """
      new ReentrantLock() {
        @Override public void lock() {}
        @Override public void unlock() {}
      }""";

  private Unlocked() {}
}
