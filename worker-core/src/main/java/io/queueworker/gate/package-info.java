/** The idempotency gate: decides whether a key may run now, and commits its effect once. */
@NullMarked
package io.queueworker.gate;

import org.jspecify.annotations.NullMarked;
