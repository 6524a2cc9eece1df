package io.queueworker.testkit;

import io.queueworker.Delivery;
import io.queueworker.LeaseLostException;
import io.queueworker.LossReason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A delivery whose lease the test controls, and which remembers what the handler asked for.
 *
 * <p>The lease does not run by itself: {@link #remaining()} stays as set until {@link #lose}. Thread-safe.
 *
 * @param <T> what the body decodes to
 */
public final class TestDelivery<T> implements Delivery<T> {

  private final T body;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, String> attributes = new HashMap<>();
  private final List<Consumer<LossReason>> whenLost = new ArrayList<>();
  private final List<Duration> extensions = new ArrayList<>();
  private String id = "message-1";
  private int receiveCount = 1;
  private Optional<Instant> sentAt = Optional.empty();
  private Optional<String> group = Optional.empty();
  private Duration remaining = Duration.ofSeconds(30);
  private @Nullable LossReason lost;
  private int progressCalls;

  TestDelivery(T body) {
    this.body = body;
  }

  /** Sets the message id; {@code message-1} unless set. */
  public TestDelivery<T> withId(String value) {
    return change(() -> id = value);
  }

  /** Adds one of the sender's attributes. */
  public TestDelivery<T> withAttribute(String name, String value) {
    return change(() -> attributes.put(name, value));
  }

  /** Sets the receive count, 1 or more; 1 unless set. */
  public TestDelivery<T> withReceiveCount(int value) {
    if (value < 1) {
      throw new IllegalArgumentException("receiveCount = " + value + ": give 1 or more");
    }
    return change(() -> receiveCount = value);
  }

  /** Sets when the message was sent; unknown unless set. */
  public TestDelivery<T> withSentAt(Instant value) {
    return change(() -> sentAt = Optional.of(value));
  }

  /** Sets the message group; none unless set. */
  public TestDelivery<T> withGroup(String value) {
    return change(() -> group = Optional.of(value));
  }

  /** Sets how long the message is still held; 30 seconds unless set. */
  public TestDelivery<T> withRemaining(Duration value) {
    return change(() -> remaining = value);
  }

  /**
   * Takes the lease away, and runs what was registered with {@link #onLost} on the calling thread. Only the first loss
   * counts.
   */
  public void lose(LossReason reason) {
    List<Consumer<LossReason>> actions = new ArrayList<>();
    change(
        () -> {
          if (lost == null) {
            lost = reason;
            actions.addAll(whenLost);
            whenLost.clear();
          }
        });
    actions.forEach(action -> action.accept(reason));
  }

  /** How often the handler reported progress. */
  public int progressCalls() {
    return read(() -> progressCalls);
  }

  /** The times that the handler asked for with {@link #extendTo}, in order. */
  public List<Duration> extensions() {
    return read(() -> List.copyOf(extensions));
  }

  @Override
  public T body() {
    return body;
  }

  @Override
  public String id() {
    return read(() -> id);
  }

  @Override
  public Map<String, String> attributes() {
    return read(() -> Map.copyOf(attributes));
  }

  @Override
  public int receiveCount() {
    return read(() -> receiveCount);
  }

  @Override
  public Optional<Instant> sentAt() {
    return read(() -> sentAt);
  }

  @Override
  public Optional<String> group() {
    return read(() -> group);
  }

  @Override
  public Duration remaining() {
    return read(() -> lost == null ? remaining : Duration.ZERO);
  }

  @Override
  public boolean isHeld() {
    return remaining().isPositive();
  }

  @Override
  public void checkHeld() {
    if (!isHeld()) {
      String why = read(() -> lost == null ? LossReason.EXPIRED.words() : lost.words());
      throw new LeaseLostException("message " + id() + " is not held any more: " + why);
    }
  }

  @Override
  public void onLost(Consumer<LossReason> action) {
    // Looking and adding are one step: a loss between both would find nothing to run.
    Optional<LossReason> already =
        read(
            () -> {
              if (lost == null) {
                whenLost.add(action);
              }
              return Optional.ofNullable(lost);
            });
    already.ifPresent(action);
  }

  @Override
  public void extendTo(Duration duration) {
    if (!duration.isPositive()) {
      throw new IllegalArgumentException("extendTo(" + duration + "): give a time above zero");
    }
    change(() -> extensions.add(duration));
  }

  @Override
  public void progress() {
    change(() -> progressCalls++);
  }

  private TestDelivery<T> change(Runnable change) {
    lock.lock();
    try {
      change.run();
    } finally {
      lock.unlock();
    }
    return this;
  }

  private <V> V read(Supplier<V> read) {
    lock.lock();
    try {
      return read.get();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public String toString() {
    return "TestDelivery[" + id() + "]";
  }
}
