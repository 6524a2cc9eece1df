package io.queueworker.settle;

/**
 * Who waits for the end of one settlement, and may call a release off until it is sent. Called on control threads, or on the one
 * that decided; must be quick and must not throw.
 */
public interface SettleWatch {

  /** Nobody waits. */
  SettleWatch NONE =
      new SettleWatch() {
        @Override
        public void ended(boolean confirmed) {
          // Nobody asked.
        }

        @Override
        public boolean isWaiting() {
          return false;
        }
      };

  /**
   * Nothing more is sent for the message. Called once.
   *
   * @param confirmed whether the service has surely done what was decided
   */
  void ended(boolean confirmed);

  /** Whether somebody waits for the end, and takes over the permit then. */
  default boolean isWaiting() {
    return true;
  }

  /** Whether a release must not be sent any more. Asked before each sending. */
  default boolean isCalledOff() {
    return false;
  }
}
