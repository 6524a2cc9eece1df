package io.queueworker.testkit.timeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queueworker.DuplicateCause;
import io.queueworker.DuplicateDiagnosis;
import io.queueworker.LossReason;
import io.queueworker.observe.EventContext;
import io.queueworker.observe.WorkerEvent;
import io.queueworker.observe.WorkerEvent.Committed;
import io.queueworker.observe.WorkerEvent.Deleted;
import io.queueworker.observe.WorkerEvent.ExtendFailed;
import io.queueworker.observe.WorkerEvent.Extended;
import io.queueworker.observe.WorkerEvent.HandlerReturned;
import io.queueworker.observe.WorkerEvent.HandlerStarted;
import io.queueworker.observe.WorkerEvent.LeaseLost;
import io.queueworker.observe.WorkerEvent.ReceiveCompleted;
import io.queueworker.observe.WorkerEvent.Received;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Time lines of events whose times are given. */
class TimelineTest {

  private static final Duration THIRTY = Duration.ofSeconds(30);

  private static final DuplicateDiagnosis WHY =
      new DuplicateDiagnosis(DuplicateCause.UNKNOWN, "Nothing is known of it.");

  private final Timeline timeline = Timeline.create();

  @Test
  void two_runs_at_once_are_marked_from_the_second_start_to_the_first_end() {
    twoAtOnce("m");

    List<String> lines = timeline.text("m").lines().toList();

    assertThat(lines).filteredOn(line -> line.contains("##")).containsExactly(
        "  36.00 ## " + " ".repeat(46) + "handler starts",
        "        ## ---- two workers work on one message ----",
        "  45.00 ## handler returns after 45.00 s",
        "        ## ---- end of the overlap: 9.00 s ----");
    assertThat(timeline.overlaps()).containsExactly(
        new Overlap("m", List.of("a", "b"), Duration.ofSeconds(36), Duration.ofSeconds(45)));
    assertThat(timeline.overlaps("m").getFirst().seconds()).isEqualTo(9.0);
    Element overlap = page().selectFirst("section .overlap");
    assertThat(overlap.attr("data-overlap-seconds")).isEqualTo("9.00");
    assertThat(overlap.attr("data-overlap-from-seconds")).isEqualTo("36.00");
    assertThat(overlap.attr("data-overlap-to-seconds")).isEqualTo("45.00");
    assertThat(overlap.attr("data-workers")).isEqualTo("a b");
    assertThat(overlap.selectFirst("title").text()).isEqualTo("a and b could work on it for 9.00 s");
    assertThat(page().selectFirst("main").attr("data-overlaps")).isEqualTo("1");
  }

  @Test
  void runs_one_after_the_other_are_no_overlap() {
    hear("a", 0, new HandlerStarted("m", 1));
    hear("a", 45, new HandlerReturned("m", 1, Duration.ofSeconds(45)));
    hear("b", 45, new HandlerStarted("m", 2));
    hear("b", 91, new WorkerEvent.CutShort("m", 2, Duration.ZERO));

    assertThat(timeline.overlaps()).isEmpty();
    assertThat(timeline.text()).doesNotContain("##").contains("never two at once");
    assertThat(page().select("section .overlap")).isEmpty();
  }

  @Test
  void a_run_of_which_only_the_release_is_told_ends_with_it() {
    hear("a", 0, new HandlerStarted("m", 1));
    hear("a", 20, new WorkerEvent.Released("m", 1, Duration.ZERO));
    hear("b", 21, new HandlerStarted("m", 2));
    hear("b", 66, new HandlerReturned("m", 2, Duration.ofSeconds(45)));
    hear("a", 70, new WorkerEvent.Received("other", 1, THIRTY));

    assertThat(timeline.overlaps()).isEmpty();
  }

  @Test
  void three_at_once_are_one_span_and_a_later_pair_is_another() {
    hear("a", 0, new HandlerStarted("m", 1));
    hear("b", 10, new HandlerStarted("m", 2));
    hear("c", 20, new HandlerStarted("m", 3));
    hear("a", 30, new HandlerReturned("m", 1, THIRTY));
    hear("b", 40, new HandlerReturned("m", 2, THIRTY));
    hear("d", 50, new HandlerStarted("m", 4));
    hear("c", 60, new HandlerReturned("m", 3, THIRTY));
    hear("d", 70, new HandlerReturned("m", 4, THIRTY));

    assertThat(timeline.overlaps()).containsExactly(
        new Overlap("m", List.of("a", "b", "c"), Duration.ofSeconds(10), Duration.ofSeconds(40)),
        new Overlap("m", List.of("c", "d"), Duration.ofSeconds(50), Duration.ofSeconds(60)));
    assertThat(timeline.text()).contains("a: handler starts"); // more workers than columns
  }

  @Test
  void a_handler_of_a_worker_that_is_gone_could_work_until_that_workers_last_sign_of_life() {
    hear("a", 0, new Received("m", 1, THIRTY));
    hear("a", 0, new HandlerStarted("m", 1));
    hear("a", 40, new ReceiveCompleted(1, 0, Duration.ofSeconds(1)));
    hear("b", 31, new Received("m", 2, THIRTY));
    hear("b", 31, new HandlerStarted("m", 2));
    hear("b", 60, new HandlerReturned("m", 2, Duration.ofSeconds(29)));

    assertThat(timeline.overlaps()).extracting(Overlap::to).containsExactly(Duration.ofSeconds(40));
    assertThat(page().select(".legend li").eachText()).contains("handler whose end was not heard of");
    assertThat(page().selectFirst("section rect.run.unended title").text()).contains("its end was not heard of");
  }

  @Test
  void a_lease_ends_with_its_loss_and_its_deadlines_are_marked() {
    twoAtOnce("m");

    Document page = page();

    assertThat(page.select("section rect.lease").eachAttr("data-to-seconds")).containsExactly("33.00", "81.00");
    assertThat(page.select("section .deadline").eachAttr("data-at-seconds")).containsExactly("30.00", "33.00", "65.00");
    assertThat(page.select("section .sign.lost")).hasSize(1);
    assertThat(page.select("section .sign.commit")).hasSize(1);
    assertThat(page.select("section .sign.suppressed")).hasSize(1);
    assertThat(page.select("section .sign.delete")).hasSize(1);
    assertThat(page.select("section .sign.beat")).hasSize(2);
    assertThat(page.select("section .sign.beat-failed")).hasSize(1);
  }

  @Test
  void of_failures_in_a_row_the_first_and_the_last_are_text_and_all_are_drawn() {
    hear("a", 0, new HandlerStarted("m", 1));
    for (int second = 20; second < 30; second++) {
      hear("a", second, new ExtendFailed("m", 1, "why", Duration.ofSeconds(33 - second)));
    }
    hear("a", 33, new LeaseLost("m", 1, LossReason.EXPIRED, ""));

    assertThat(timeline.text("m").lines())
        .filteredOn(line -> line.contains("FAILED"))
        .containsExactly(
            "  20.00    EXTENSION FAILED, held for 13.00 s", "  29.00    EXTENSION FAILED, held for 4.00 s (try 10)");
    assertThat(page().select("section .sign.beat-failed")).hasSize(10);
  }

  @Test
  void names_from_outside_are_text_and_never_markup() {
    String hostile = "<script>alert('1')</script>\"&'\u0000";
    hear(hostile, 0, new Received(hostile, 1, THIRTY));
    hear(hostile, 1, new HandlerStarted(hostile, 1));
    hear(hostile, 2, new WorkerEvent.GateWarning(hostile, 1, hostile));

    Document page = page();

    assertThat(page.select("script, img, link, iframe, object")).isEmpty();
    assertThat(page.selectFirst("h2 code").text()).startsWith("<script>alert('1')</script>\"&'");
    assertThat(page.selectFirst("section rect.lease").attr("data-worker")).startsWith("<script>");
    assertThat(timeline.html()).doesNotContain("<script").doesNotContain("\u0000");
  }

  @Test
  void the_page_is_whole_by_itself_and_tells_what_it_shows() {
    twoAtOnce("m");

    Document page = page();

    assertThat(page.select("[src], [href], [onload], script")).isEmpty();
    assertThat(page.selectFirst("meta[http-equiv=Content-Security-Policy]").attr("content"))
        .startsWith("default-src 'none'");
    assertThat(timeline.html()).doesNotContain("url(").doesNotContain("@import").contains("prefers-color-scheme: dark");
    Element picture = page.selectFirst("svg.timeline");
    for (String label : picture.attr("aria-labelledby").split(" ", -1)) {
      assertThat(page.getElementById(label).text()).as(label).isNotBlank();
    }
    assertThat(page.selectFirst("desc").text())
        .startsWith(
            "2 receives by 2 workers, 2 runs of a handler, committed by a at 46.00 s; two could work on it for 9.00 s.");
    assertThat(page.select("p.why").eachText()).containsExactly("Why it came again: " + WHY.text());
    assertThat(page.selectFirst("details pre").text()).contains("SUPPRESSED");
    assertThat(page.select(".legend li").eachText())
        .contains("two could work on it", "beat that failed", "suppressed: no second effect")
        .doesNotContain("moved to the dead-letter queue", "handler whose end was not heard of");
  }

  @Test
  void of_many_messages_the_interesting_ones_are_drawn_and_their_number_is_said() {
    for (int i = 0; i < 100; i++) {
      hear("a", i, new Received("plain-" + i, 1, THIRTY));
    }
    twoAtOnce("shared");
    hear("a", 200, new LeaseLost("plain-50", 1, LossReason.EXPIRED, ""));

    Document page = Jsoup.parse(timeline.html(3));

    assertThat(page.select("h2 code").eachText()).containsExactlyInAnyOrder("plain-0", "plain-50", "shared");
    assertThat(page.selectFirst("main").attr("data-messages")).isEqualTo("101");
    assertThat(page.selectFirst("main").attr("data-messages-shown")).isEqualTo("3");
    assertThat(page.selectFirst("main > p").text()).contains("101 messages in 2 workers", "Shown: 3");
    assertThatThrownBy(() -> timeline.html(0)).hasMessage("messages is 0: draw 1 or more");
  }

  @Test
  void an_empty_time_line_is_a_page_too(@TempDir Path directory) throws IOException {
    Path file = timeline.writeTo(directory.resolve("new/empty.html"));

    assertThat(Files.readString(file)).isEqualTo(timeline.html());
    assertThat(page().selectFirst("main > p").text()).isEqualTo("0 messages in 0 workers.");
    assertThat(timeline.overlaps()).isEmpty();
    assertThat(timeline.text("nobody")).isEmpty();
  }

  @Test
  void receives_of_one_worker_that_overlap_have_rows_of_their_own() {
    hear("a", 0, new Received("m", 1, THIRTY));
    hear("a", 10, new Received("m", 2, THIRTY));
    hear("a", 11, new Deleted("m", 2, Duration.ZERO));
    hear("a", 12, new Deleted("m", 1, Duration.ZERO));

    assertThat(page().select("svg .worker")).hasSize(2);
  }

  private void twoAtOnce(String id) {
    hear("a", 0, new Received(id, 1, THIRTY));
    hear("a", 0, new HandlerStarted(id, 1));
    hear("a", 5, new Extended(id, 1, Duration.ofSeconds(28)));
    hear("a", 20, new ExtendFailed(id, 1, "why", Duration.ofSeconds(13)));
    hear("a", 33, new LeaseLost(id, 1, LossReason.EXPIRED, ""));
    hear("b", 35, new Received(id, 2, THIRTY));
    hear("b", 36, new HandlerStarted(id, 2));
    hear("b", 60, new Extended(id, 2, THIRTY));
    hear("b", 80, suppressed(id));
    hear("b", 81, new Deleted(id, 2, Duration.ofSeconds(1)));
    hear("a", 45, new HandlerReturned(id, 1, Duration.ofSeconds(45))); // heard late, and yet in its place
    hear("a", 46, new Committed(id, 1, Duration.ofSeconds(46)));
  }

  private static WorkerEvent suppressed(String id) {
    return new WorkerEvent.Suppressed(id, 2, Optional.empty(), WHY);
  }

  private Document page() {
    return Jsoup.parse(timeline.html());
  }

  private void hear(String worker, long second, WorkerEvent event) {
    timeline.onEvent(new EventContext("events", worker, Instant.EPOCH, second * 1_000_000_000), event);
  }
}
