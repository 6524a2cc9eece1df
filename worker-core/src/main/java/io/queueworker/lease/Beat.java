package io.queueworker.lease;

/**
 * One extension of one lease, to be sent.
 *
 * @param lease whose call slot it occupies until answered
 * @param visibility the value to set, nanoseconds
 * @param urgent whether the lease is too close to its end to share a call
 */
record Beat(Lease lease, long visibility, boolean urgent) {}
