package io.queueworker.testkit.timeline;

import io.queueworker.observe.EventContext;
import io.queueworker.observe.WorkerEvent;
import io.queueworker.observe.WorkerEvent.MessageEvent;
import io.queueworker.observe.WorkerListener;
import io.queueworker.testkit.simulation.SimulatedTiming;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.ToLongFunction;

/**
 * What happened to messages in any number of workers, drawn: who received a message when, how long each lease held and to
 * which deadlines, beats, handlers, commits, deletes, and the spans in which two handlers could work on one message. As
 * text for a terminal and as one HTML page that needs nothing else: no script, no network, light and dark.
 *
 * <p>Register one time line as inline listener of every worker of a test:
 *
 * <pre>{@code
 * Timeline timeline = Timeline.create();
 * QueueWorker.of(queue)….inlineListener(timeline).start();
 * …
 * timeline.writeTo(Path.of("target/timeline.html"));
 * }</pre>
 *
 * <p>Neither bodies nor receipts are in it, since they are in no event. It keeps {@value #MOST_EVENTS} events and says how many came
 * beyond that.
 *
 * <p>Thread-safe.
 */
public final class Timeline implements WorkerListener {

  /** How many messages are drawn unless another number is given. */
  public static final int MESSAGES = 40;

  private static final int MOST_EVENTS = 200_000;

  private record Heard(EventContext context, long nanos, MessageEvent event) {}

  private final ToLongFunction<EventContext> clock;
  private final BooleanSupplier over;
  private final ReentrantLock lock = new ReentrantLock();
  private final List<Heard> heard = new ArrayList<>();
  private final Map<String, Long> lastSigns = new LinkedHashMap<>();
  private long notKept;

  private Timeline(ToLongFunction<EventContext> clock, BooleanSupplier over) {
    this.clock = clock;
    this.over = over;
  }

  /** An empty time line for workers of this JVM, which share a monotonic clock. */
  public static Timeline create() {
    return new Timeline(EventContext::nanoTime, () -> false);
  }

  /** An empty time line for workers of a simulation, on whatever machines; it ends with the simulation's body. */
  public static Timeline in(SimulatedTiming timing) {
    return new Timeline(context -> timing.nanoTime(), timing::isOver);
  }

  @Override
  public void onEvent(EventContext context, WorkerEvent event) {
    if (over.getAsBoolean()) {
      return;
    }
    lock.lock();
    try {
      long nanos = clock.applyAsLong(context);
      lastSigns.merge(context.worker(), nanos, (before, now) -> now - before > 0 ? now : before);
      if (!(event instanceof MessageEvent ofMessage)) {
        return;
      }
      if (heard.size() < MOST_EVENTS) {
        heard.add(new Heard(context, nanos, ofMessage));
      } else {
        notKept++;
      }
    } finally {
      lock.unlock();
    }
  }

  /** The spans in which two handlers or more could work on one message, by message in the order of their first events. */
  public List<Overlap> overlaps() {
    return stories().stream().flatMap(story -> story.overlaps().stream()).toList();
  }

  /** The spans of one message; empty when there was none, or nothing was heard of it. */
  public List<Overlap> overlaps(String messageId) {
    return overlaps().stream().filter(overlap -> overlap.messageId().equals(messageId)).toList();
  }

  /** What happened as text: for each message seconds since its first event, then a column for each worker. */
  public String text() {
    Recorded recorded = recorded(MESSAGES);
    List<String> lines = new ArrayList<>();
    lines.add(recorded.summary());
    for (Story story : recorded.shown()) {
      lines.add("");
      lines.add("Message " + story.messageId() + ": " + story.summary());
      lines.add(TextColumns.of(story));
    }
    return String.join("\n", lines);
  }

  /** One message as text: seconds since its first event, then a column for each worker; empty when nothing was heard of it. */
  public String text(String messageId) {
    return stories().stream()
        .filter(story -> story.messageId().equals(messageId))
        .findFirst()
        .map(TextColumns::of)
        .orElse("");
  }

  /** What happened as an HTML page on which at most {@value #MESSAGES} messages are drawn. */
  public String html() {
    return html(MESSAGES);
  }

  /**
   * What happened as an HTML page.
   *
   * @param messages how many messages to draw at most, 1 or more; those on which two could work come first, then those that lost
   *     a lease, then those that came more than once
   */
  public String html(int messages) {
    if (messages < 1) {
      throw new IllegalArgumentException("messages is " + messages + ": draw 1 or more");
    }
    return TimelinePage.of(recorded(messages));
  }

  /** Writes {@link #html()} to a file, whose directory is made where it is missing; gives back the file. */
  public Path writeTo(Path file) throws IOException {
    return Page.write(html(), file);
  }

  private List<Story> stories() {
    return recorded(Integer.MAX_VALUE).shown();
  }

  private Recorded recorded(int most) {
    lock.lock();
    try {
      if (heard.isEmpty()) {
        return new Recorded(Instant.EPOCH, List.of(), 0, List.copyOf(lastSigns.keySet()), notKept);
      }
      List<Heard> inOrder = new ArrayList<>(heard);
      long origin = heard.getFirst().nanos();
      // Two events may be heard in another order than that of their times.
      inOrder.sort(Comparator.comparingLong(one -> one.nanos() - origin));
      Heard first = inOrder.getFirst();
      Map<String, Long> signs = new LinkedHashMap<>();
      lastSigns.forEach((worker, nanos) -> signs.put(worker, nanos - first.nanos()));
      Map<String, List<Moment>> byMessage = new LinkedHashMap<>();
      for (Heard one : inOrder) {
        byMessage
            .computeIfAbsent(one.event().messageId(), any -> new ArrayList<>())
            .add(new Moment(one.context().worker(), one.nanos() - first.nanos(), one.event()));
      }
      List<Story> stories = new ArrayList<>();
      byMessage.forEach((id, moments) -> stories.add(Story.of(id, moments, signs)));
      return new Recorded(
          first.context().at(),
          Recorded.mostInteresting(stories, most),
          stories.size(),
          List.copyOf(signs.keySet()),
          notKept);
    } finally {
      lock.unlock();
    }
  }
}
