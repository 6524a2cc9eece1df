/** What the worker costs and how fast it is, measured in one run with others and with a loop written by hand. */
@NullMarked
package io.queueworker.benchmarks;

import org.jspecify.annotations.NullMarked;
