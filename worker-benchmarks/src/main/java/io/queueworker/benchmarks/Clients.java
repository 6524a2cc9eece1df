package io.queueworker.benchmarks;

import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/** The SDK clients of one contender: all contenders get the same kind. Implementations are thread-safe. */
interface Clients {

  /** A client for long polls. */
  SqsClient receive();

  /** A client for everything else. */
  SqsClient control();

  /** A client for contenders that work with futures. */
  SqsAsyncClient async();

  /** What these clients sent. */
  RequestCounts counts();
}
