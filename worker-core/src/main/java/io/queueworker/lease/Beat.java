package io.queueworker.lease;

import org.jspecify.annotations.Nullable;

/**
 * One extension of one lease, to be sent.
 *
 * @param lease whose call slot it occupies until answered
 * @param visibility the value to set, nanoseconds
 * @param urgent whether the lease is too close to its end to share a call
 * @param renewedAt just before the gate's record was renewed for it, null when there is none to renew
 */
record Beat(Lease lease, long visibility, boolean urgent, @Nullable Long renewedAt) {

  /** One whose record has yet to be renewed if there is one. */
  Beat(Lease lease, long visibility, boolean urgent) {
    this(lease, visibility, urgent, null);
  }

  /** The same one with its record renewed. */
  Beat renewed(long at) {
    return new Beat(lease, visibility, urgent, at);
  }

  /**
   * The same one with what may still be asked for: it may have waited for its thread, or for its record, and the cap and
   * maxHold go on meanwhile.
   */
  Beat sentAt(long now) {
    return new Beat(lease, lease.granted(visibility, now), urgent, renewedAt);
  }

  /** From when the extension counts: the lease must not outlast the gate's record, which is as old as its renewal. */
  long countsFrom(long sentAt) {
    return renewedAt == null ? sentAt : renewedAt;
  }
}
