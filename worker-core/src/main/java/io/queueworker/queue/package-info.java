/** The queue port: what a worker needs from a queue, without any service's SDK. */
@NullMarked
package io.queueworker.queue;

import org.jspecify.annotations.NullMarked;
