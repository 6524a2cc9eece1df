/** The adapter for Amazon SQS: the one package that knows the AWS SDK. */
@NullMarked
package io.queueworker.queue.sqs;

import org.jspecify.annotations.NullMarked;
