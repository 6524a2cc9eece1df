package io.queueworker.testkit.chaos;

/** A promise of the contract (docs/architecture.md), as a run is judged by it. */
public enum Rule {
  /** A message is deleted only after its effect, and ends handled or as a dead letter. */
  NO_LOSS("nothing is lost"),
  /** The effect of a key happens at most once, where the gate can promise that. */
  ONE_EFFECT("one effect"),
  /** A message is held no longer than maxHold and the service's cap. */
  BOUNDED_HOLD("bounded hold"),
  /** An extension asks for one visibility timeout at most, or for what the handler asked: a dead worker's messages come back. */
  FAST_RECOVERY("fast recovery"),
  /** Nothing is extended or released that is not held when that is decided. */
  NO_TRESPASS("no trespass"),
  /** In flight is never above the permits. */
  NO_HOARDING("no hoarding"),
  /** After a close nothing is in flight that was not named. */
  CLEAN_STOP("clean stop"),
  /** Every receive ends in one settlement or one loss, in the order that the events promise. */
  TRAIL("a true trail"),
  /** Two handlers of one message never run at once in one process, and none is released beside its handler. */
  ONE_HANDLER("one handler"),
  /** In each group of a FIFO queue, first effects come in the order of sending. */
  ORDER("order in a group"),
  /** The gate is never interrupted. */
  NO_INTERRUPT("no interrupt in the gate"),
  /** Nothing goes wrong where nothing is wrong. */
  CALM("calm"),
  /** After the last disturbance everything is handled within bounded time. */
  PROGRESS("progress");

  private final String words;

  Rule(String words) {
    this.words = words;
  }

  /** The rule in words. */
  public String words() {
    return words;
  }
}
