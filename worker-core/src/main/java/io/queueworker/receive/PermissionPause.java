package io.queueworker.receive;

import io.queueworker.PauseReason;
import io.queueworker.observe.Permissions;
import io.queueworker.observe.Permissions.Call;
import java.time.Duration;

/**
 * Stops receiving while messages can be neither kept nor deleted for want of a permission, and lets a probe through from time
 * to time: after 30 seconds, then twice as long, up to five minutes. Used by the heartbeat's thread only.
 */
public final class PermissionPause {

  private static final long FIRST = Duration.ofSeconds(30).toNanos();
  private static final long LONGEST = Duration.ofMinutes(5).toNanos();

  /** How long a probe may take to be denied again. */
  private static final long PROBE = Duration.ofSeconds(10).toNanos();

  private final Permissions permissions;
  private final Pauses pauses;
  private boolean denied;
  private long changeAt;
  private long length = FIRST;
  private boolean probing;

  /** Pauses for what {@code permissions} says is denied. */
  public PermissionPause(Permissions permissions, Pauses pauses) {
    this.permissions = permissions;
    this.pauses = pauses;
  }

  /** Looks whether to pause, to probe or to go on. Part of every heartbeat tick. */
  public void tick(long now) {
    boolean nowDenied = permissions.isDenied(Call.DELETE) || permissions.isDenied(Call.EXTEND);
    if (!nowDenied) {
      if (denied) {
        pauses.remove(PauseReason.PERMISSION_DENIED);
        denied = false;
      }
      return;
    }
    if (!denied) {
      denied = true;
      length = FIRST;
      pause(now);
    } else if (now - changeAt >= 0) {
      if (probing) {
        length = Math.min(LONGEST, 2 * length);
        pause(now);
      } else {
        probing = true;
        changeAt = now + PROBE;
        pauses.remove(PauseReason.PERMISSION_DENIED);
      }
    }
  }

  private void pause(long now) {
    probing = false;
    changeAt = now + length;
    pauses.add(
        PauseReason.PERMISSION_DENIED, "missing " + String.join(", ", permissions.denied()));
  }
}
