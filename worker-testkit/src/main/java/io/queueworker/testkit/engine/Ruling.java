package io.queueworker.testkit.engine;

/** What a queue says to a change of visibility or a delete. */
public sealed interface Ruling {

  /**
   * It was done.
   *
   * @param receipt the receipt handle from here on; the same one unless the service gives a new one with each extension
   */
  record Done(String receipt) implements Ruling {

    @Override
    public String toString() {
      return "Done";
    }
  }

  /**
   * The service answered that it was done, and nothing changed.
   *
   * @param receipt the receipt handle, the same one
   */
  record WithoutEffect(String receipt) implements Ruling {

    @Override
    public String toString() {
      return "WithoutEffect";
    }
  }

  /**
   * It was refused and nothing changed.
   *
   * @param error in the service's own words
   */
  record Refused(EngineError error) implements Ruling {}
}
