package io.queueworker.testkit.endpoint;

import io.queueworker.testkit.engine.QueueSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** Says what a queue at the endpoint is like. Makes one queue. Not thread-safe. */
public final class StrictQueueBuilder {

  private static final String FIFO = ".fifo";

  private final StrictSqs server;
  private final String name;
  private final List<Consumer<QueueSettings>> settings = new ArrayList<>();
  private int maxReceiveCount;
  private long seed;

  StrictQueueBuilder(StrictSqs server, String name) {
    this.server = server;
    this.name = name;
  }

  /** The visibility timeout of receives that give none, 0 to 12 hours in whole seconds. Default 30 s. */
  public StrictQueueBuilder visibility(Duration timeout) {
    return with(queue -> queue.visibility(wholeSeconds("visibility", timeout)));
  }

  /** How long messages that give no delay are hidden at first, 0 to 15 minutes in whole seconds. Default zero. */
  public StrictQueueBuilder delay(Duration length) {
    return with(queue -> queue.delay(wholeSeconds("delay", length)));
  }

  /** After how long a message disappears, 60 s to 14 days in whole seconds. Default 4 days. */
  public StrictQueueBuilder retention(Duration length) {
    return with(queue -> queue.retention(wholeSeconds("retention", length)));
  }

  /** After how many receives a message moves to the dead-letter queue, which is made too, 1 to 1,000. Default: never. */
  public StrictQueueBuilder maxReceiveCount(int receives) {
    if (receives < 1 || receives > 1000) {
      throw new IllegalArgumentException("maxReceiveCount = " + receives + ": give 1 to 1000");
    }
    maxReceiveCount = receives;
    return this;
  }

  /** How many messages may be in flight before receives bring none. Default 120,000. */
  public StrictQueueBuilder inFlightLimit(int messages) {
    return with(queue -> queue.inFlightLimit(messages));
  }

  /** Lets a FIFO queue recognise messages by their bodies. Default: not. */
  public StrictQueueBuilder contentBasedDeduplication() {
    return with(queue -> queue.contentBasedDeduplication(true));
  }

  /** What chance is drawn from, for the settings below. Default 0. */
  public StrictQueueBuilder seed(long number) {
    seed = number;
    return this;
  }

  /** Lets receives bring messages, or the groups of a FIFO queue, in any order. Default: the order of sending. */
  public StrictQueueBuilder anyOrder() {
    return with(queue -> queue.anyOrder(true));
  }

  /** The share of receives, 0 to 1, that bring fewer messages than they could. Default 0. */
  public StrictQueueBuilder partialReceives(double share) {
    return with(queue -> queue.partialReceives(share));
  }

  /** The share of receives of a message, 0 to 1, after which it may come once more while it is in flight. Default 0. */
  public StrictQueueBuilder duplicates(double share) {
    return with(queue -> queue.duplicates(share));
  }

  /** The share of deletes, 0 to 1, after which the message comes once more all the same. Default 0. */
  public StrictQueueBuilder redeliveriesAfterDelete(double share) {
    return with(queue -> queue.redeliveriesAfterDelete(share));
  }

  private StrictQueueBuilder with(Consumer<QueueSettings> setting) {
    settings.add(setting);
    return this;
  }

  /**
   * Makes the queue.
   *
   * @throws IllegalArgumentException when a setting is out of its range, or the service takes no queue of that name
   * @throws IllegalStateException when there is a queue of that name
   */
  public StrictQueue create() {
    return server.withQueues(queues -> {
      Optional<ServedQueue> dead = maxReceiveCount == 0 ? Optional.empty() : Optional.of(make(queues, deadName()));
      ServedQueue queue = make(queues, name);
      dead.ifPresent(target -> queue.engine.settings().redrive(maxReceiveCount, target.engine));
      settings.forEach(setting -> setting.accept(queue.engine.settings()));
      dead.ifPresent(queues::add);
      queues.add(queue);
      return new StrictQueue(server, queue, dead.map(target -> new StrictQueue(server, target, Optional.empty())));
    });
  }

  private ServedQueue make(Queues queues, String queueName) {
    if (queues.find(queueName) != null) {
      throw new IllegalStateException("there is a queue " + queueName + ": give another name");
    }
    try {
      return queues.newQueue(queueName, queueName.endsWith(FIFO), new SplittableRandom(seed));
    } catch (Refusal refusal) {
      throw new IllegalArgumentException("queue " + queueName + ": " + refusal.error().message(), refusal);
    }
  }

  private String deadName() {
    return name.endsWith(FIFO) ? name.substring(0, name.length() - FIFO.length()) + "-dead" + FIFO : name + "-dead";
  }

  private static Duration wholeSeconds(String setting, Duration value) {
    if (!value.equals(Duration.ofSeconds(value.toSeconds()))) {
      throw new IllegalArgumentException(setting + " = " + value + ": the service knows whole seconds only");
    }
    return value;
  }
}
