/** Runnable programs, one per question that a user asks. */
@NullMarked
package io.queueworker.examples;

import org.jspecify.annotations.NullMarked;
