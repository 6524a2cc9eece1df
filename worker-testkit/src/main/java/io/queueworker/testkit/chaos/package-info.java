/** Whole workers in virtual time, under faults, standstills and crashes drawn from a seed. */
@NullMarked
package io.queueworker.testkit.chaos;

import org.jspecify.annotations.NullMarked;
