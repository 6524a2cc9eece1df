/** The tests that every idempotency gate passes. */
@NullMarked
package io.queueworker.testkit.gate;

import org.jspecify.annotations.NullMarked;
