package io.queueworker.receive;

import io.queueworker.PauseReason;
import io.queueworker.observe.Permissions;
import io.queueworker.observe.Permissions.Call;
import java.time.Duration;

/**
 * Stops receiving while messages can be neither kept nor deleted for want of a permission, and lets a probe through from time
 * to time: after 30 seconds, then twice as long, up to five minutes. A probe goes on until a call is denied again: where no
 * message needs the call, nothing is known to be missing. Used by the heartbeat's thread only.
 */
public final class PermissionPause {

  private static final long FIRST = Duration.ofSeconds(30).toNanos();
  private static final long LONGEST = Duration.ofMinutes(5).toNanos();

  private final Permissions permissions;
  private final Pauses pauses;
  private boolean denied;
  private boolean paused;
  private long probeAt;
  private long length;
  private long denialsBefore;

  /** Pauses for what {@code permissions} says is denied. */
  public PermissionPause(Permissions permissions, Pauses pauses) {
    this.permissions = permissions;
    this.pauses = pauses;
  }

  /** Looks whether to pause, to probe or to go on. Part of every heartbeat tick. */
  public void tick(long now) {
    if (!permissions.isDenied(Call.DELETE) && !permissions.isDenied(Call.EXTEND)) {
      denied = false;
      resume();
    } else if (!denied) {
      denied = true;
      pause(now, FIRST);
    } else if (paused && now - probeAt >= 0) {
      denialsBefore = permissions.denials();
      resume();
    } else if (!paused && permissions.denials() != denialsBefore) {
      pause(now, Math.min(LONGEST, 2 * length));
    }
  }

  private void pause(long now, long forNanos) {
    paused = true;
    length = forNanos;
    probeAt = now + forNanos;
    pauses.add(
        PauseReason.PERMISSION_DENIED, "missing " + String.join(", ", permissions.denied()));
  }

  private void resume() {
    if (paused) {
      paused = false;
      pauses.remove(PauseReason.PERMISSION_DENIED);
    }
  }
}
