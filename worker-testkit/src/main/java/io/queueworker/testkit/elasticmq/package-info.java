/** A real queue server in the test's own process, and queues for each test. */
@NullMarked
package io.queueworker.testkit.elasticmq;

import org.jspecify.annotations.NullMarked;
