/** The right to work on a received message, and the heartbeat that keeps it. */
@NullMarked
package io.queueworker.lease;

import org.jspecify.annotations.NullMarked;
