/** What happens in a worker, as events, meters, log lines and durations. */
@NullMarked
package io.queueworker.observe;

import org.jspecify.annotations.NullMarked;
