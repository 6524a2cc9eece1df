/** The tests that every adapter of the queue port passes. */
@NullMarked
package io.queueworker.testkit.contract;

import org.jspecify.annotations.NullMarked;
