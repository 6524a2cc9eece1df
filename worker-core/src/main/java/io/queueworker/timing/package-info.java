/** The seam for clocks, waiting, randomness and threads. */
@NullMarked
package io.queueworker.timing;

import org.jspecify.annotations.NullMarked;
