/** Dead letters: listing them with their reasons, and sending them back to the queue they came from. */
@NullMarked
package io.queueworker.deadletter;

import org.jspecify.annotations.NullMarked;
