/** Whole workers in virtual time, one thread at a time, reproducible from a seed. */
@NullMarked
package io.queueworker.testkit.simulation;

import org.jspecify.annotations.NullMarked;
