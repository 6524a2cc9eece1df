package io.queueworker.testkit.elasticmq;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A parameter of type {@link TestQueueHandle} that gets a queue of its own, which is deleted after the test. */
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
public @interface TestQueue {

  /** The visibility timeout in seconds, 1 to 43,200. */
  int visibilitySeconds() default 30;

  /** After how many receives a message moves to a dead-letter queue, 1 to 1,000; 0 for no dead-letter queue. */
  int maxReceiveCount() default 0;

  /** Whether it is a FIFO queue. */
  boolean fifo() default false;
}
