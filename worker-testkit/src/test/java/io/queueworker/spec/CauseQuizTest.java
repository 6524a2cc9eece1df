package io.queueworker.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.DuplicateCause;
import io.queueworker.DuplicateDiagnosis;
import io.queueworker.spec.CauseQuiz.Question;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Whether a worker names the cause of a duplicate that was brought about on purpose; docs/duplicates.md shows the answers. */
class CauseQuizTest {

  private static final Path DOCUMENT = Path.of("../docs/duplicates.md");

  static Stream<Arguments> questionsAndSeeds() {
    return Arrays.stream(Question.values())
        .flatMap(question -> Specs.seeds().mapToObj(seed -> Arguments.of(question, seed)));
  }

  @ParameterizedTest(name = "{0}, seed {1}")
  @MethodSource("questionsAndSeeds")
  void the_cause_is_named(Question question, long seed) {
    DuplicateDiagnosis said = CauseQuiz.answer(question, seed, gate -> {});

    assertThat(said.cause()).as(said.facts()).isEqualTo(question.cause);
  }

  @ParameterizedTest
  @EnumSource
  void the_documentation_shows_each_answer_as_it_is(Question question) throws IOException {
    DuplicateDiagnosis said = CauseQuiz.answer(question, 1, gate -> {});

    assertThat(Files.readAllLines(DOCUMENT)).contains(
        "| " + question.injected + " | `" + lower(said) + "` | " + said.facts() + " |");
  }

  @ParameterizedTest
  @EnumSource
  void the_documentation_lists_the_cause_with_what_to_change(DuplicateCause cause) throws IOException {
    String words = cause.words();
    assertThat(Files.readAllLines(DOCUMENT)).contains(
        "| `" + cause.name().toLowerCase(Locale.ROOT) + "` | " + words.substring(0, 1).toUpperCase(Locale.ROOT)
            + words.substring(1) + ". | " + cause.advice() + " |");
  }

  private static String lower(DuplicateDiagnosis said) {
    return said.cause().name().toLowerCase(Locale.ROOT);
  }

  @Test
  void control_without_the_leases_story_in_the_gates_record_most_causes_are_unknown() {
    assertThat(right(gate -> gate.tellsLease = false)).containsExactly(
        Question.DELETE_FAILED_HERE, Question.COMMIT_UNANSWERED, Question.SENT_TWICE, Question.REDRIVEN);
  }

  @Test
  void control_without_the_time_of_the_completion_a_dead_process_and_a_failed_delete_look_alike() {
    assertThat(right(gate -> gate.tellsAge = false))
        .doesNotContain(Question.KILLED, Question.DELETE_FAILED_THERE, Question.DELIVERED_TWICE)
        .hasSize(Question.values().length - 3);
  }

  private static List<Question> right(Consumer<RecordingGate> withheld) {
    return Arrays.stream(Question.values())
        .filter(question -> CauseQuiz.answer(question, 1, withheld).cause() == question.cause)
        .toList();
  }
}
