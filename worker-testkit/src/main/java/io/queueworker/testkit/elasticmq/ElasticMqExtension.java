package io.queueworker.testkit.elasticmq;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives each test queues of its own on one ElasticMQ server per test run, which starts with the first test that needs it.
 * Queues are deleted after their test, the server stops after the last one. Thread-safe.
 */
public final class ElasticMqExtension implements ParameterResolver {

  private static final Namespace NAMESPACE = Namespace.create(ElasticMqExtension.class);
  private static final int LONGEST_PREFIX = 50;
  private static final AtomicInteger QUEUES = new AtomicInteger();

  /** Made by JUnit. */
  public ElasticMqExtension() {}

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.isAnnotated(TestQueue.class) || parameter.getParameter().getType() == ElasticMq.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    ElasticMq server =
        context.getRoot().getStore(NAMESPACE).computeIfAbsent(ElasticMq.class, any -> ElasticMq.start(),
            ElasticMq.class);
    if (parameter.getParameter().getType() == ElasticMq.class) {
      return server;
    }
    if (parameter.getParameter().getType() != TestQueueHandle.class) {
      throw new ParameterResolutionException(
          "@TestQueue " + parameter.getParameter() + ": the parameter's type must be TestQueueHandle");
    }
    TestQueue wanted = parameter.findAnnotation(TestQueue.class).orElseThrow();
    String name = nameFor(context);
    Duration visibility = Duration.ofSeconds(wanted.visibilitySeconds());
    TestQueueHandle queue =
        TestQueueHandle.create(server, name, visibility, wanted.maxReceiveCount(), wanted.fifo());
    // The store closes what it holds when the test, or the class for a constructor's parameter, ends.
    Store store = context.getStore(NAMESPACE);
    store.put(name, queue);
    return queue;
  }

  /** The start of the test's name, so that a log line tells whose queue it is, and a number. */
  private static String nameFor(ExtensionContext context) {
    String test = context.getTestMethod().map(method -> method.getName()).orElse("class");
    String valid = test.replaceAll("[^A-Za-z0-9_-]", "_");
    return valid.substring(0, Math.min(LONGEST_PREFIX, valid.length())) + "-" + QUEUES.incrementAndGet();
  }
}
