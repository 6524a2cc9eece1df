/** A strict SQS endpoint over HTTP, with faults written into its calls. */
@NullMarked
package io.queueworker.testkit.endpoint;

import org.jspecify.annotations.NullMarked;
