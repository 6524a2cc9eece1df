package io.queueworker.strict;

import static io.queueworker.strict.StrictRig.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queueworker.QueueWorker;
import io.queueworker.observe.WorkerEvent.Deleted;
import io.queueworker.observe.WorkerEvent.Draining;
import io.queueworker.observe.WorkerEvent.ExtendFailed;
import io.queueworker.observe.WorkerEvent.Extended;
import io.queueworker.observe.WorkerEvent.HandlerStarted;
import io.queueworker.observe.WorkerEvent.LeaseLost;
import io.queueworker.queue.MessageQueue;
import io.queueworker.queue.sqs.SqsQueue;
import io.queueworker.testkit.Invariants;
import io.queueworker.testkit.Trail;
import io.queueworker.testkit.endpoint.EndpointCall;
import io.queueworker.testkit.endpoint.Operation;
import io.queueworker.testkit.endpoint.StrictQueue;
import io.queueworker.testkit.endpoint.StrictSqs;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;

/** Long polls that hold every connection of the client for receives. */
@Execution(ExecutionMode.CONCURRENT)
class SmallReceivePoolTest {

  private static final int CONNECTIONS = 2;
  private static final int TWENTY_SECONDS = 20;

  private static SqsClient smallClient(StrictSqs sqs) {
    return SqsClient.builder()
        .endpointOverride(sqs.endpoint())
        .region(Region.US_EAST_1)
        .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")))
        .httpClientBuilder(
            Apache5HttpClient.builder()
                .maxConnections(CONNECTIONS)
                .connectionAcquisitionTimeout(Duration.ofMillis(300)))
        .overrideConfiguration(config -> config.retryStrategy(AwsRetryStrategy.doNotRetry()))
        .build();
  }

  /** A handler at work while two polls of 20 s hold both connections of the client for receives. */
  private static Trail whilePollsWait(
      StrictSqs sqs, StrictQueue queue, BiFunction<SqsClient, SqsClient, MessageQueue> connect) throws Exception {
    Trail trail = Trail.create();
    StrictQueue quiet = sqs.queue("quiet").create();
    CountDownLatch pollsWait = new CountDownLatch(1);
    try (SqsClient receives = smallClient(sqs);
        SqsClient control = smallClient(sqs);
        QueueWorker worker =
            QueueWorker.of(connect.apply(receives, control))
                .handler(
                    delivery -> {
                      StrictRig.await("both polls", pollsWait);
                      int before = trail.count(Extended.class);
                      trail.await(
                          "extended twice, or lost",
                          t -> t.count(Extended.class) > before + 1 || t.count(LeaseLost.class) > 0,
                          LONG);
                    })
                .controlTimeout(Duration.ofSeconds(1))
                .inlineListener(trail)
                .start()) {
      queue.send("a");
      trail.awaitCount(HandlerStarted.class, 1, LONG);
      Thread other = Thread.ofVirtual().start(
          () -> receives.receiveMessage(call -> call.queueUrl(quiet.url()).waitTimeSeconds(TWENTY_SECONDS)));
      StrictRig.until("two polls", () -> queue.waitingReceives() == 1 && quiet.waitingReceives() == 1);
      assertThatThrownBy(() -> receives.listQueues())
          .as("a third call on the client for receives")
          .isInstanceOf(SdkClientException.class);
      pollsWait.countDown();
      trail.await("deleted or lost", t -> t.count(Deleted.class) + t.count(LeaseLost.class) > 0, LONG);
      assertThat(quiet.waitingReceives()).as("the other poll, still holding its connection").isEqualTo(1);
      FutureTask<?> close = new FutureTask<>(worker::close, null);
      Thread.ofVirtual().start(close);
      trail.awaitCount(Draining.class, 1, LONG);
      // A message ends each poll, so that nothing waits for 20 s.
      queue.send("end");
      quiet.send("end");
      close.get(LONG.toSeconds(), TimeUnit.SECONDS);
      other.join();
    }
    return trail;
  }

  @Test
  void S32_beats_and_deletes_go_out_in_time_while_two_polls_hold_both_connections() throws Exception {
    try (StrictSqs sqs = StrictSqs.start()) {
      StrictQueue queue = sqs.queue("polled").visibility(Duration.ofSeconds(4)).create();
      Trail trail =
          whilePollsWait(sqs, queue, (receives, control) -> SqsQueue.at(queue.url(), receives, control));
      assertThat(trail.of(ExtendFailed.class)).isEmpty();
      assertThat(trail.of(LeaseLost.class)).isEmpty();
      assertThat(trail.of(HandlerStarted.class)).hasSize(1);
      assertThat(trail.of(Deleted.class)).hasSize(1);
      assertThat(queue.calls(Operation.CHANGE_VISIBILITY))
          .hasSizeGreaterThanOrEqualTo(2)
          .allSatisfy(call -> assertThat(call.entries()).allMatch(EndpointCall.Entry::heldOnArrival));
      assertThat(queue.calls(Operation.DELETE)).singleElement()
          .satisfies(call -> assertThat(call.entries()).allMatch(EndpointCall.Entry::heldOnArrival));
      Invariants.check(trail, 64);
    }
  }

  private static boolean isRelease(EndpointCall call) {
    return call.entries().stream().allMatch(entry -> entry.visibility().equals(Optional.of(Duration.ZERO)));
  }

  @Test
  void S32_control_on_one_small_client_for_everything_no_beat_gets_out_and_the_lease_is_lost() throws Exception {
    try (StrictSqs sqs = StrictSqs.start()) {
      StrictQueue queue = sqs.queue("starved").visibility(Duration.ofSeconds(4)).create();
      Trail trail = whilePollsWait(sqs, queue, (receives, control) -> SqsQueue.at(queue.url(), receives));
      assertThat(trail.of(ExtendFailed.class))
          .anySatisfy(failed -> assertThat(failed.why()).contains("no free connection"));
      assertThat(queue.calls(Operation.CHANGE_VISIBILITY).stream().filter(call -> !isRelease(call)))
          .as("extensions that arrived")
          .isEmpty();
      assertThat(trail.of(LeaseLost.class)).isNotEmpty();
      Invariants.check(trail, 64);
    }
  }
}
