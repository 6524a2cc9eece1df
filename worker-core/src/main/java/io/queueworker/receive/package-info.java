/** Receiving: permits first, then a long poll for as many messages. */
@NullMarked
package io.queueworker.receive;

import org.jspecify.annotations.NullMarked;
