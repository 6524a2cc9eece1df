package io.queueworker.benchmarks;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.queueworker.testkit.elasticmq.ElasticMq;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;

/**
 * ElasticMQ in a JVM of its own. Each line of its input is a {@link QueueRequest} as JSON, answered by a line with the queue's
 * URL once the queue is there and full. It ends when its input does.
 */
public final class ServerMain {

  private static final Logger LOG = LoggerFactory.getLogger(ServerMain.class);

  private static final int BATCH = 10;
  private static final int SENDERS = 4;

  private static final Duration ADDED = Duration.ofMillis(10);

  private @Nullable SlowProxy proxy;

  private ServerMain() {}

  /** Takes nothing. */
  public static void main(String[] args) {
    int code = 1;
    try {
      new ServerMain().serveParent();
      code = 0;
    } catch (IOException | InterruptedException | RuntimeException e) {
      LOG.error("the server ends", e);
    } finally {
      // Whatever happened: its threads would go on without a parent, and one that still answers a long poll takes its time.
      Runtime.getRuntime().halt(code);
    }
  }

  @SuppressWarnings("resource") // ends with the process
  private void serveParent() throws IOException, InterruptedException {
    ElasticMq server = ElasticMq.start();
    ObjectMapper json = new ObjectMapper();
    BufferedReader parent = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = parent.readLine(); line != null; line = parent.readLine()) {
      QueueRequest request = json.readValue(line, QueueRequest.class);
      System.out.println(json.writeValueAsString(serve(server, request)));
      System.out.flush();
    }
  }

  private String serve(ElasticMq server, QueueRequest request) throws InterruptedException, IOException {
    if (!request.url().isEmpty()) {
      server.client().deleteQueue(queue -> queue.queueUrl(request.url()));
      return request.url();
    }
    Duration visibility = Duration.ofSeconds(request.visibilitySeconds());
    boolean fifo = request.service() == Service.ELASTICMQ_FIFO;
    String url =
        fifo
            ? server.createFifoQueue(request.name(), visibility, 0).url()
            : server.createQueue(request.name(), visibility, 0).url();
    List<Thread> senders = new ArrayList<>();
    for (int sender = 0; sender < SENDERS; sender++) {
      int first = sender * BATCH;
      senders.add(Thread.ofVirtual().start(() -> fill(server.client(), url, first, request.messages(), fifo)));
    }
    for (Thread sender : senders) {
      sender.join();
    }
    return request.service() == Service.ELASTICMQ_SLOW ? slow(server, url) : url;
  }

  /** The same queue behind the proxy. */
  private String slow(ElasticMq server, String url) throws IOException {
    SlowProxy before = proxy;
    proxy = before == null ? SlowProxy.start(server.port(), ADDED) : before;
    return url.replace(":" + server.port() + "/", ":" + proxy.port() + "/");
  }

  private static SendMessageBatchRequestEntry entry(int index, boolean fifo) {
    SendMessageBatchRequestEntry.Builder entry =
        SendMessageBatchRequestEntry.builder().id(Integer.toString(index)).messageBody(Body.of(index));
    if (fifo) {
      entry.messageGroupId("group-" + index % GroupOrder.GROUPS).messageDeduplicationId(Integer.toString(index));
    }
    return entry.build();
  }

  /** Sends every fourth batch, from {@code first} on. */
  private static void fill(SqsClient client, String url, int first, int messages, boolean fifo) {
    for (int from = first; from < messages; from += BATCH * SENDERS) {
      List<SendMessageBatchRequestEntry> entries =
          IntStream.range(from, Math.min(messages, from + BATCH))
              .mapToObj(index -> entry(index, fifo))
              .toList();
      client.sendMessageBatch(batch -> batch.queueUrl(url).entries(entries));
    }
  }
}
