package io.queueworker.deadletter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import io.queueworker.patched.PatchedCore;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The scenarios of the way back, and for each the guard without which it fails. */
class RedriveScenariosTest {

  private static final String PACKAGE = "io.queueworker.deadletter.";
  private static final int SEEDS = 5;

  @ParameterizedTest
  @EnumSource
  void it_holds(RedriveScenario scenario) {
    for (long seed = 1; seed <= SEEDS; seed++) {
      scenario.run(seed);
    }
  }

  @ParameterizedTest
  @MethodSource
  @SuppressWarnings("unchecked")
  void it_fails_without(RedriveScenario scenario, String className, String snippet, String replacement) {
    Optional<String> failure =
        (Optional<String>) PatchedCore.with(PACKAGE + className, snippet, replacement)
            .create(RedriveHarness.class, BiFunction.class).apply(scenario.name(), SEEDS);
    assertThat(failure).isPresent();
    assertThat(failure.orElseThrow()).containsAnyOf("AssertionError", "AssertionFailedError");
  }

  static Stream<Arguments> it_fails_without() {
    return Stream.of(
        control("a send that is repeated until it is answered", RedriveScenario.LOST_SENDS, "Carry",
            "switch (result) { case SendResult.Sent(var id) -> {",
            "switch (result instanceof SendResult.Retryable ? new SendResult.Sent(\"\") : result) {"
                + " case SendResult.Sent(var id) -> {"),
        control("a fresh deduplication id", RedriveScenario.FIFO_SOON_AFTER_THE_FIRST_SEND, "WayBack",
            "back.deduplicatedBy(deduplicationId(letter.id()))",
            "back.deduplicatedBy(letter.attributes().getOrDefault(RejectAttributes.DEDUPLICATION_ID, deduplicationId(\"\")))"),
        control("the send before the delete", RedriveScenario.DEATH_BETWEEN_SEND_AND_DELETE, "Carry",
            "if (!send(held, letter, back.get(), rest)) {",
            "delete(held, letter, rest); if (!send(held, letter, back.get(), rest)) {"),
        control("leaving what is refused", RedriveScenario.REFUSED, "Carry",
            "leave(letter, Why.REFUSED, reason); return false;", "return true;"),
        control("a look at the time before the delete", RedriveScenario.TIME_RUNS_OUT_DURING_A_SEND, "Carry",
            "for (int tries = 1; held.isHeld(); tries++) {", "for (int tries = 1; tries > 0; tries++) {"),
        control("knowing what was sent", RedriveScenario.TIME_RUNS_OUT_DURING_A_SEND, "Tally",
            "return undeleted.contains(letter.id());", "return false;"),
        control("extensions", RedriveScenario.SLOW_RATE, "Holding",
            "if (held.isHeld() && held.leftNanos() < terms.visibilityNanos() / 2) {", "if (false) {"),
        control("the receipt that an extension gives", RedriveScenario.SLOW_RATE, "Held", "receipt = from;", ""),
        control("stopping the group", RedriveScenario.ORDER_BEHIND_A_REFUSED_MESSAGE, "Tally",
            "letter.group().ifPresent(group -> stopped.putIfAbsent(group, letter.id()));", ""),
        control("knowing what comes back", RedriveScenario.BACK_AGAIN, "Tally", "sentBack.add(letter.originalId());",
            ""),
        control("a look at where it came from", RedriveScenario.OTHER_QUEUES, "Redrive", "!request.anySource",
            "!request.anySource && request.one"),
        control("the source that a reject names", RedriveScenario.OTHER_QUEUES, "DeadLetter",
            ".or(() -> Optional.ofNullable(all.get(RejectAttributes.SOURCE_QUEUE)))", ""),
        control("giving back", RedriveScenario.LISTED_TWICE, "Holding", "if (!held.isEmpty()) {", "if (false) {"),
        control("the first id", RedriveScenario.MOVED_BY_THE_SERVICE, "WayBack",
            "if (attributes.size() < MOST_ATTRIBUTES) {", "if (attributes.size() > MOST_ATTRIBUTES) {"));
  }

  private static Arguments control(
      String guard, RedriveScenario scenario, String className, String snippet, String replacement) {
    return argumentSet(guard, scenario, className, snippet, replacement);
  }
}
