package io.queueworker.testkit.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.timing.SystemTiming;
import io.queueworker.timing.Timing;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.RepeatedTest;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.sqs.SqsClient;

/** What the close of the endpoint leaves behind. */
class CloseTest {

  /** One party for the test, and one for each thread that the endpoint started and that runs. */
  private final Phaser threads = new Phaser(1);

  /** Real time that tells which of its threads have ended. */
  private Timing watched() {
    Timing real = SystemTiming.instance();
    return (Timing) Proxy.newProxyInstance(
        Timing.class.getClassLoader(),
        new Class<?>[]{Timing.class},
        (proxy, method, arguments) -> {
          if (method.getName().equals("start")) {
            threads.register();
            Runnable body = (Runnable) arguments[2];
            arguments[2] = (Runnable) () -> {
              try {
                body.run();
              } finally {
                threads.arriveAndDeregister();
              }
            };
          }
          try {
            return method.invoke(real, arguments);
          } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
          }
        });
  }

  private static void daemon(Runnable call) {
    Thread.ofPlatform().daemon().start(() -> {
      try {
        call.run();
      } catch (SdkException endedByTheClose) {
        // So do all but those long polls that are still answered with nothing.
      }
    });
  }

  /** Often, since a server stopped in the middle of an answer hung once in a few thousand times. */
  @RepeatedTest(100)
  void no_call_goes_on_after_the_close_be_it_a_long_poll_or_delayed_or_half_answered() throws Exception {
    try (StrictSqs sqs = StrictSqs.start(0, watched()); SqsClient client = Calls.plain(sqs)) {
      StrictQueue queue = sqs.queue("q").create();
      ScriptedFault late = queue.next(Operation.SEND, HttpFault.delayRequest(Duration.ofMinutes(10)));
      ScriptedFault lateAnswer = queue.next(Operation.DELETE, HttpFault.delayReply(Duration.ofMinutes(10)));
      ScriptedFault latePoll = queue.next(Operation.RECEIVE, HttpFault.delayRequest(Duration.ofMinutes(10)));
      daemon(() -> client.sendMessage(call -> call.queueUrl(queue.url()).messageBody("a")));
      daemon(() -> client.deleteMessage(call -> call.queueUrl(queue.url()).receiptHandle("none")));
      daemon(() -> client.receiveMessage(call -> call.queueUrl(queue.url()).waitTimeSeconds(20)));
      latePoll.awaitFired(1, Calls.LONG);
      late.awaitFired(1, Calls.LONG);
      lateAnswer.awaitFired(1, Calls.LONG);
      ScriptedFault poll = queue.next(Operation.RECEIVE, HttpFault.delayReply(Duration.ofNanos(1)));
      daemon(() -> client.receiveMessage(call -> call.queueUrl(queue.url()).waitTimeSeconds(20)));
      poll.awaitFired(1, Calls.LONG);
      assertThat(threads.getRegisteredParties()).as("threads that run").isGreaterThan(4);
    }
    threads.awaitAdvanceInterruptibly(threads.arrive(), Calls.LONG.toSeconds(), TimeUnit.SECONDS);
  }
}
