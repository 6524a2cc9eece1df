/** Queues, faults and invariants with which users test their handlers. */
@NullMarked
package io.queueworker.testkit;

import org.jspecify.annotations.NullMarked;
