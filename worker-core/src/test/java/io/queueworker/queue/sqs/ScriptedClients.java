package io.queueworker.queue.sqs;

import java.time.Duration;
import java.util.function.Consumer;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.SqsClientBuilder;

/** Clients for a {@link ScriptedSqs}, as a user would build them. */
final class ScriptedClients {

  private ScriptedClients() {}

  /** Without SDK retries. */
  static SqsClient once(ScriptedSqs sqs) {
    return builder(sqs, StaticCredentialsProvider.create(AwsBasicCredentials.create("x", "x")))
        .overrideConfiguration(config -> config.retryStrategy(AwsRetryStrategy.doNotRetry()))
        .build();
  }

  /** Without SDK retries, with one connection that a call waits for briefly. */
  static SqsClient withOneConnection(ScriptedSqs sqs) {
    return builder(sqs, StaticCredentialsProvider.create(AwsBasicCredentials.create("x", "x")))
        .httpClientBuilder(
            Apache5HttpClient.builder().maxConnections(1).connectionAcquisitionTimeout(Duration.ofMillis(200)))
        .overrideConfiguration(config -> config.retryStrategy(AwsRetryStrategy.doNotRetry()))
        .build();
  }

  /** With the SDK's own retries. */
  static SqsClient retrying(ScriptedSqs sqs) {
    return builder(sqs, StaticCredentialsProvider.create(AwsBasicCredentials.create("x", "x"))).build();
  }

  /** Without SDK retries, with these credentials. */
  static SqsClient with(ScriptedSqs sqs, AwsCredentialsProvider credentials) {
    return builder(sqs, credentials)
        .overrideConfiguration(config -> config.retryStrategy(AwsRetryStrategy.doNotRetry()))
        .build();
  }

  /** Without SDK retries, showing each request before it is sent. */
  static SqsClient watched(ScriptedSqs sqs, Consumer<SdkRequest> watcher) {
    ExecutionInterceptor interceptor =
        new ExecutionInterceptor() {
          @Override
          public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
            watcher.accept(context.request());
          }
        };
    return builder(sqs, StaticCredentialsProvider.create(AwsBasicCredentials.create("x", "x")))
        .overrideConfiguration(
            config -> config.retryStrategy(AwsRetryStrategy.doNotRetry()).addExecutionInterceptor(interceptor))
        .build();
  }

  private static SqsClientBuilder builder(ScriptedSqs sqs, AwsCredentialsProvider credentials) {
    return SqsClient.builder()
        .endpointOverride(sqs.endpoint())
        .region(Region.EU_WEST_1)
        .credentialsProvider(credentials);
  }
}
