package io.queueworker.handle;

/**
 * One message's place among those of its group that may be worked on at once, together with its permit. Thread-safe: its state is
 * guarded by the lock of its {@link GroupPlaces}.
 *
 * <pre>
 * WAITING ──one of the group gives its place back──► TAKEN ──► LEFT
 *    └──────────────────────────────────────────────────────────▲
 * REFUSED ──────────────────────────────────────────────────────┘
 * </pre>
 */
public final class Place {

  enum State {
    /** It may be worked on, and has its permit. */
    TAKEN,
    /** It waits, and its permit is parked. */
    WAITING,
    /** As many wait as may; it has its permit until it has gone back. */
    REFUSED,
    LEFT
  }

  private final GroupPlaces places;
  final String group;
  private final RunPermit permit;
  State state;
  private volatile Runnable wake = () -> {};

  Place(GroupPlaces places, String group, RunPermit permit, State state) {
    this.places = places;
    this.group = group;
    this.permit = permit;
    this.state = state;
  }

  RunPermit permit() {
    return permit;
  }

  /** Sets what wakes the one who waits for the place. */
  void onGranted(Runnable action) {
    wake = action;
  }

  /** The place has come, and with it the permit of the one who had it. */
  void granted() {
    permit.takeAgain();
    wake.run();
  }

  boolean isWaiting() {
    return places.is(this, State.WAITING);
  }

  boolean isRefused() {
    return places.is(this, State.REFUSED);
  }

  /** Ends it: the next of the group gets the place and the permit, or the permit goes back. Once; later calls do nothing. */
  public void giveBack() {
    places.giveBack(this);
  }
}
