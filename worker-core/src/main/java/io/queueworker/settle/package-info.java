/** The end of a worker's involvement with a message: delete, release or leave. */
@NullMarked
package io.queueworker.settle;

import org.jspecify.annotations.NullMarked;
