/** The rules of a queue service without its machinery: no thread, no clock and no network, so that every face of it obeys the same ones. */
@NullMarked
package io.queueworker.testkit.engine;

import org.jspecify.annotations.NullMarked;
