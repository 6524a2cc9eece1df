package io.queueworker.settle;

/** A delete or a release to be sent again at a lease time. */
record Retry(Settlement settlement, long at) {}
