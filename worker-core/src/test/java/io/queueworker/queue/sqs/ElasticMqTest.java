package io.queueworker.queue.sqs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.queueworker.queue.EntryResult;
import io.queueworker.queue.QueueException;
import io.queueworker.queue.Receipt;
import io.queueworker.queue.ReceiveRequest;
import io.queueworker.queue.ReceivedMessage;
import io.queueworker.queue.VisibilityChange;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.elasticmq.rest.sqs.SQSRestServer;
import org.elasticmq.rest.sqs.SQSRestServerBuilder;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeNameForSends;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeValue;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** The adapter against a real server over HTTP. What ElasticMQ does otherwise than SQS: docs/queue-facts.md B. */
@Tag("elasticmq")
class ElasticMqTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private static SQSRestServer server;
  private static SqsClient receiveClient;
  private static SqsClient controlClient;

  private String prefix;

  @BeforeAll
  static void start() {
    server = SQSRestServerBuilder.withInterface("localhost").withDynamicPort().start();
    URI endpoint = URI.create("http://localhost:" + server.waitUntilStarted().localAddress().getPort());
    receiveClient = client(endpoint);
    controlClient = client(endpoint);
  }

  /** The clients first: a server that still answers a long poll stops only when the poll ends. */
  @AfterAll
  static void stop() {
    receiveClient.close();
    controlClient.close();
    server.stopAndWait();
  }

  private static SqsClient client(URI endpoint) {
    return SqsClient.builder()
        .endpointOverride(endpoint)
        .region(Region.EU_WEST_1)
        .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("x", "x")))
        .overrideConfiguration(config -> config.retryStrategy(AwsRetryStrategy.doNotRetry()))
        .build();
  }

  @BeforeEach
  void nameQueuesAfterTheTest(TestInfo test) {
    prefix = "q" + Integer.toHexString(test.getTestMethod().orElseThrow().getName().hashCode());
  }

  @Test
  void a_message_is_received_with_body_attributes_and_the_services_own_attributes() {
    String url = queue("", Map.of());
    controlClient.sendMessage(
        m -> m.queueUrl(url)
            .messageBody("käse 🧀")
            .messageGroupId("tenant-1")
            .messageSystemAttributes(
                Map.of(
                    MessageSystemAttributeNameForSends.AWS_TRACE_HEADER,
                    MessageSystemAttributeValue.builder().dataType("String").stringValue("Root=1-2-3").build()))
            .messageAttributes(
                Map.of(
                    "kind", MessageAttributeValue.builder().dataType("String").stringValue("order").build(),
                    "n", MessageAttributeValue.builder().dataType("Number").stringValue("7").build(),
                    "blob",
                    MessageAttributeValue.builder()
                        .dataType("Binary")
                        .binaryValue(SdkBytes.fromUtf8String("ü"))
                        .build())));

    ReceivedMessage message = receiveOne(open(url));

    assertThat(message.body()).isEqualTo("käse 🧀");
    assertThat(message.attributes())
        .containsOnly(
            Map.entry("kind", "order"),
            Map.entry("n", "7"),
            Map.entry("blob", Base64.getEncoder().encodeToString("ü".getBytes(StandardCharsets.UTF_8))));
    assertThat(message.sentAt()).isPresent();
    assertThat(message.system()).containsEntry("AWSTraceHeader", "Root=1-2-3");
    assertThat(message.group()).contains("tenant-1");
  }

  @Test
  void S55_receive_count_and_group_come_with_the_message_and_the_count_grows() {
    String url = queue("", Map.of());
    controlClient.sendMessage(m -> m.queueUrl(url).messageBody("a").messageGroupId("tenant-1"));
    SqsQueue queue = open(url);

    ReceivedMessage first = receiveOne(queue);
    assertThat(queue.release(List.of(change(first, Duration.ZERO)), TIMEOUT)).containsExactly(done(first));
    ReceivedMessage second = receiveOne(queue);

    assertThat(first.receiveCount()).isEqualTo(1);
    assertThat(second.receiveCount()).isEqualTo(2);
    assertThat(second.id()).isEqualTo(first.id());
    assertThat(second.receipt()).isNotEqualTo(first.receipt());
    assertThat(List.of(first, second)).allSatisfy(message -> assertThat(message.group()).contains("tenant-1"));
  }

  @Test
  void ten_messages_are_extended_and_deleted_in_one_call_each() {
    String url = queue("", Map.of());
    SqsQueue queue = open(url);
    List<ReceivedMessage> received = sendAndReceive(queue, url, 10);

    List<EntryResult> extended =
        queue.extend(received.stream().map(m -> change(m, Duration.ofMinutes(5))).toList(), TIMEOUT);
    List<EntryResult> deleted = queue.delete(received.stream().map(ReceivedMessage::receipt).toList(), TIMEOUT);

    assertThat(extended).containsExactlyElementsOf(received.stream().map(ElasticMqTest::done).toList());
    assertThat(deleted).containsExactlyElementsOf(received.stream().map(ElasticMqTest::done).toList());
    assertThat(counts(url)).isEqualTo("0 visible, 0 in flight");
  }

  @Test
  void a_deleted_message_is_lost_or_gone_for_whoever_deletes_or_extends_it_again_and_the_neighbour_is_served() {
    String url = queue("", Map.of());
    SqsQueue queue = open(url);
    List<ReceivedMessage> received = sendAndReceive(queue, url, 2);
    ReceivedMessage deleted = received.get(0);
    ReceivedMessage kept = received.get(1);
    assertThat(queue.delete(List.of(deleted.receipt()), TIMEOUT)).containsExactly(done(deleted));

    List<EntryResult> extended =
        queue.extend(List.of(change(deleted, TIMEOUT), change(kept, Duration.ofMinutes(5))), TIMEOUT);
    List<EntryResult> again = queue.delete(List.of(deleted.receipt(), kept.receipt()), TIMEOUT);

    assertThat(extended.get(0)).isInstanceOf(EntryResult.Lost.class);
    assertThat(extended.get(1)).isEqualTo(done(kept));
    assertThat(again.get(0)).isInstanceOf(EntryResult.Lost.class);
    assertThat(again.get(1)).isEqualTo(done(kept));
    assertThat(List.of(extended, again).toString()).doesNotContain(deleted.receipt().value());
  }

  @Test
  void a_handle_that_another_receive_replaced_is_lost() {
    String url = queue("", Map.of());
    SqsQueue queue = open(url);
    ReceivedMessage first = sendAndReceive(queue, url, 1).get(0);
    assertThat(queue.release(List.of(change(first, Duration.ZERO)), TIMEOUT)).containsExactly(done(first));
    ReceivedMessage second = receiveOne(queue);

    assertThat(queue.extend(List.of(change(first, TIMEOUT)), TIMEOUT))
        .singleElement()
        .isInstanceOf(EntryResult.Lost.class);
    assertThat(queue.delete(List.of(second.receipt()), TIMEOUT)).containsExactly(done(second));
  }

  @Test
  void an_invented_handle_is_lost_and_does_not_show_in_the_reason() {
    SqsQueue queue = open(queue("", Map.of()));

    List<EntryResult> results = queue.delete(List.of(new Receipt("garbage-handle")), TIMEOUT);

    assertThat(results).singleElement().isInstanceOf(EntryResult.Lost.class);
    assertThat(results.toString()).doesNotContain("garbage-handle");
  }

  @Test
  void a_message_stays_hidden_for_the_visibility_that_the_receive_asked_for_and_fractions_are_rounded_up() {
    String url = queue("", Map.of(QueueAttributeName.VISIBILITY_TIMEOUT, "300"));
    SqsQueue queue = open(url);
    controlClient.sendMessage(m -> m.queueUrl(url).messageBody("a"));

    // A visibility of 0.3 s cut to 0 would leave the message visible at once.
    List<ReceivedMessage> first = queue.receive(new ReceiveRequest(1, Duration.ofSeconds(5), Duration.ofMillis(300)));
    assertThat(first).hasSize(1);
    assertThat(counts(url)).isEqualTo("0 visible, 1 in flight");
    ReceivedMessage again = receiveOne(queue);
    assertThat(again.receiveCount()).isEqualTo(2);
    assertThat(counts(url)).isEqualTo("0 visible, 1 in flight");
  }

  @Test
  void a_release_with_a_delay_keeps_the_message_hidden_until_then() {
    String url = queue("", Map.of());
    SqsQueue queue = open(url);
    ReceivedMessage message = sendAndReceive(queue, url, 1).get(0);

    assertThat(queue.release(List.of(change(message, Duration.ofMillis(200))), TIMEOUT)).containsExactly(done(message));

    assertThat(receiveOne(queue).receiveCount()).isEqualTo(2);
  }

  @Test
  void an_empty_queue_gives_no_messages() {
    SqsQueue queue = open(queue("", Map.of()));

    assertThat(queue.receive(new ReceiveRequest(10, Duration.ZERO, null))).isEmpty();
  }

  @Test
  void visibility_and_redrive_policy_are_read() {
    String dead = queue("-dead", Map.of());
    String arn =
        controlClient
            .getQueueAttributes(r -> r.queueUrl(dead).attributeNames(QueueAttributeName.QUEUE_ARN))
            .attributes()
            .get(QueueAttributeName.QUEUE_ARN);
    String url =
        queue(
            "",
            Map.of(
                QueueAttributeName.VISIBILITY_TIMEOUT, "42",
                QueueAttributeName.REDRIVE_POLICY,
                "{\"deadLetterTargetArn\":\"" + arn + "\",\"maxReceiveCount\":7}"));

    assertThat(open(url).attributes().visibility()).isEqualTo(Duration.ofSeconds(42));
    assertThat(open(url).attributes().maxReceiveCount()).hasValue(7);
    assertThat(open(dead).attributes().maxReceiveCount()).isEmpty();
  }

  @Test
  void a_missing_queue_is_named_by_receive_and_by_attributes() {
    SqsQueue queue = open(queue("", Map.of()).replace(prefix, "nowhere"));

    QueueException receive =
        catchThrowableOfType(
            QueueException.class, () -> queue.receive(new ReceiveRequest(1, Duration.ZERO, null)));
    QueueException attributes = catchThrowableOfType(QueueException.class, queue::attributes);

    assertThat(List.of(receive, attributes))
        .allSatisfy(
            failure -> {
              assertThat(failure.kind()).isEqualTo(QueueException.Kind.MISSING);
              assertThat(failure).hasMessageContaining("queue=nowhere").hasMessageContaining("Create the queue");
            });
  }

  @Test
  void a_fifo_group_comes_in_order_and_stays_blocked_behind_its_head() {
    String url = queue(".fifo", Map.of(QueueAttributeName.FIFO_QUEUE, "true"));
    SqsQueue queue = open(url);
    for (int i = 0; i < 3; i++) {
      String body = "m" + i;
      controlClient.sendMessage(
          m -> m.queueUrl(url).messageBody(body).messageGroupId("g").messageDeduplicationId(body));
    }

    List<ReceivedMessage> slice = queue.receive(new ReceiveRequest(10, Duration.ofSeconds(5), Duration.ofMinutes(5)));
    assertThat(slice).extracting(ReceivedMessage::body).containsExactly("m0", "m1", "m2");
    assertThat(slice).allSatisfy(message -> assertThat(message.group()).contains("g"));
    assertThat(queue.traits().fifo()).isTrue();

    // The head goes back for a minute, then the followers at once: they stay blocked behind it.
    assertThat(queue.release(List.of(change(slice.get(0), Duration.ofMinutes(1))), TIMEOUT))
        .containsExactly(done(slice.get(0)));
    assertThat(
        queue.release(List.of(change(slice.get(1), Duration.ZERO), change(slice.get(2), Duration.ZERO)), TIMEOUT))
        .hasOnlyElementsOfType(EntryResult.Done.class);
    assertThat(queue.receive(new ReceiveRequest(10, Duration.ZERO, null))).isEmpty();
    assertThat(queue.delete(List.of(slice.get(0).receipt()), TIMEOUT)).containsExactly(done(slice.get(0)));
    assertThat(queue.receive(new ReceiveRequest(10, Duration.ofSeconds(5), null)))
        .extracting(ReceivedMessage::body)
        .containsExactly("m1", "m2");
  }

  @Test
  void closing_a_queue_leaves_the_callers_clients_open() {
    String url = queue("", Map.of());
    SqsQueue queue = open(url);

    queue.close();
    queue.close();

    assertThat(controlClient.listQueues().queueUrls()).contains(url);
  }

  private String queue(String suffix, Map<QueueAttributeName, String> attributes) {
    return controlClient.createQueue(q -> q.queueName(prefix + suffix).attributes(attributes)).queueUrl();
  }

  private static SqsQueue open(String url) {
    return SqsQueue.at(url, receiveClient, controlClient);
  }

  private static List<ReceivedMessage> sendAndReceive(SqsQueue queue, String url, int count) {
    IntStream.range(0, count).forEach(i -> controlClient.sendMessage(m -> m.queueUrl(url).messageBody("m" + i)));
    List<ReceivedMessage> received = new ArrayList<>();
    while (received.size() < count) {
      List<ReceivedMessage> more =
          queue.receive(new ReceiveRequest(count - received.size(), Duration.ofSeconds(20), Duration.ofMinutes(5)));
      assertThat(more).isNotEmpty();
      received.addAll(more);
    }
    return received;
  }

  private static ReceivedMessage receiveOne(SqsQueue queue) {
    List<ReceivedMessage> received =
        queue.receive(new ReceiveRequest(1, Duration.ofSeconds(20), Duration.ofMinutes(5)));
    assertThat(received).hasSize(1);
    return received.get(0);
  }

  private static String counts(String url) {
    Map<QueueAttributeName, String> found =
        controlClient.getQueueAttributes(r -> r.queueUrl(url).attributeNames(QueueAttributeName.ALL)).attributes();
    return found.get(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES)
        + " visible, "
        + found.get(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE)
        + " in flight";
  }

  private static VisibilityChange change(ReceivedMessage message, Duration visibility) {
    return new VisibilityChange(message.receipt(), visibility);
  }

  private static EntryResult done(ReceivedMessage message) {
    return new EntryResult.Done(message.receipt());
  }
}
