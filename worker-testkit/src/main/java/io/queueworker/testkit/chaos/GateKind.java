package io.queueworker.testkit.chaos;

/** What stands between a redelivery and a second effect, and so what may be promised. */
public enum GateKind {
  /** What the user's own setup has; judged as if it were safe. */
  OWN(true),
  /** A gate whose row commits with the effect: one effect, whatever happens. */
  DATABASE(true),
  /** A leased gate, and a system outside that honours idempotency keys: one effect. */
  LEASED_WITH_KEYS(true),
  /** A leased gate that never repeats what may have happened: one effect at most; what is uncertain becomes a dead letter. */
  LEASED_ONCE(true),
  /** A leased gate, and a system outside that honours nothing: a crash after the effect repeats it. */
  LEASED_PLAIN(false),
  /** None: a redelivery repeats the effect. */
  NONE(false);

  private final boolean oneEffect;

  GateKind(boolean oneEffect) {
    this.oneEffect = oneEffect;
  }

  /** Whether a key has one effect at most. */
  public boolean oneEffect() {
    return oneEffect;
  }

  /** Whether it is a leased gate. */
  boolean isLeased() {
    return this == LEASED_WITH_KEYS || this == LEASED_ONCE || this == LEASED_PLAIN;
  }
}
