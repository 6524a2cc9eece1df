package io.queueworker.benchmarks;

import java.net.URI;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * Clients for a server on this machine, with connections enough for every poller: Apache's HTTP client, as {@code
 * SqsQueue.connect} uses, and Netty, the SDK's own choice, for futures. Each is built when it is first asked for. For one
 * thread.
 */
final class HttpClients implements Clients {

  private static final int CONNECTIONS = 64;

  private final URI endpoint;
  private final RequestCounts counts = new RequestCounts();
  private @Nullable SqsClient receive;
  private @Nullable SqsClient control;
  private @Nullable SqsAsyncClient async;

  /** For the queue with this URL. */
  HttpClients(String queueUrl) {
    this.endpoint = URI.create(queueUrl).resolve("/");
  }

  @Override
  public SqsClient receive() {
    receive = receive == null ? blocking() : receive;
    return receive;
  }

  @Override
  public SqsClient control() {
    control = control == null ? blocking() : control;
    return control;
  }

  private SqsClient blocking() {
    Apache5HttpClient.Builder http =
        Apache5HttpClient.builder().maxConnections(CONNECTIONS).socketTimeout(Duration.ofSeconds(60));
    return located(SqsClient.builder().httpClientBuilder(http)).build();
  }

  @Override
  public SqsAsyncClient async() {
    Supplier<SqsAsyncClient> make =
        () -> located(
            SqsAsyncClient.builder()
                .httpClientBuilder(
                    NettyNioAsyncHttpClient.builder().maxConcurrency(CONNECTIONS).readTimeout(Duration.ofSeconds(60))))
            .build();
    async = async == null ? make.get() : async;
    return async;
  }

  private <B extends AwsClientBuilder<B, ?>> B located(B builder) {
    return builder
        .endpointOverride(endpoint)
        .region(Region.EU_WEST_1)
        .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("none", "none")))
        .overrideConfiguration(
            config -> config.retryStrategy(AwsRetryStrategy.doNotRetry()).addExecutionInterceptor(counts));
  }

  @Override
  public RequestCounts counts() {
    return counts;
  }
}
