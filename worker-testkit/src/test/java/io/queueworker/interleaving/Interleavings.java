package io.queueworker.interleaving;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.patched.PatchedCore;
import java.io.IOException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Options;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.datastructures.verifier.EpsilonVerifier;

/**
 * What threads do to one shared object at once, in every order that Lincheck finds: calls of a class whose methods are
 * operations. Every run has to give the results of some order of whole calls, end, and pass the class's own checks.
 *
 * <p>A call is the method's name and its numbers, such as {@code "add 1"}; a thread is its calls, separated by commas.
 */
final class Interleavings {

  private static final long LONGEST_RUN_MILLIS = 120_000;

  /** Calls before the threads start, and the calls of each. */
  private record Scenario(String before, List<String> threads) {}

  private final Class<?> operations;
  private final List<Scenario> scenarios = new ArrayList<>();
  private boolean waiting;

  private Interleavings(Class<?> operations) {
    this.operations = operations;
  }

  /** Calls of this class, which has a constructor without arguments: each run gets a new object. */
  static Interleavings of(Class<?> operations) {
    return new Interleavings(operations);
  }

  /**
   * Says that calls wait for each other, so that they cannot come one after the other: what they return does not count then,
   * only that all of them end, and the class's own checks.
   */
  Interleavings ofCallsThatWait() {
    waiting = true;
    return this;
  }

  /** Adds a scenario: what is called first, and what each thread calls after that. */
  Interleavings scenario(String before, String... threads) {
    scenarios.add(new Scenario(before, List.of(threads)));
    return this;
  }

  /** Fails when a scenario breaks in an order of single accesses, of so many that are tried. */
  void hold(int orders) {
    assertThat(modelChecked(orders)).as("an interleaving that breaks").isEmpty();
  }

  /** Chooses the order of single accesses, so many orders in each scenario: the failure, if one is found. */
  Optional<String> modelChecked(int orders) {
    return check(new ModelCheckingOptions(), orders);
  }

  /** Lets the machine choose, so many runs of each scenario: the failure, if one is found. */
  Optional<String> stressed(int runs) {
    return check(new StressOptions(), runs);
  }

  /**
   * {@link #modelChecked} on a worker without one of its guards: the failure, which there has to be. In a JVM of its own, since
   * what Lincheck generates sees the class path only.
   */
  String brokenOn(PatchedCore core, int orders) throws IOException, InterruptedException {
    return inOwnProcess(core, "model", orders);
  }

  /** {@link #stressed} on a worker without one of its guards, as {@link #brokenOn}. */
  String brokenUnderStressOn(PatchedCore core, int runs) throws IOException, InterruptedException {
    return inOwnProcess(core, "stress", runs);
  }

  private String inOwnProcess(PatchedCore core, String how, int times) throws IOException, InterruptedException {
    List<String> arguments =
        new ArrayList<>(List.of(how, String.valueOf(times), operations.getName(), String.valueOf(waiting)));
    for (Scenario scenario : scenarios) {
      arguments.add(scenario.before + "|" + String.join("|", scenario.threads));
    }
    return core.run(Interleavings.class, arguments);
  }

  /** Looks for a failure as {@link #inOwnProcess} asks, and prints it. */
  public static void main(String[] arguments) throws ClassNotFoundException {
    Interleavings interleavings = of(Class.forName(arguments[2]));
    interleavings.waiting = Boolean.parseBoolean(arguments[3]);
    for (String scenario : List.of(arguments).subList(4, arguments.length)) {
      String[] parts = scenario.split("\\|", -1);
      interleavings.scenario(parts[0], Arrays.copyOfRange(parts, 1, parts.length));
    }
    int times = Integer.parseInt(arguments[1]);
    Optional<String> found =
        arguments[0].equals("model") ? interleavings.modelChecked(times) : interleavings.stressed(times);
    System.out.println(found.orElse("nothing found"));
    // Lincheck may have left threads that hang.
    Runtime.getRuntime().halt(0);
  }

  private Optional<String> check(Options<?, ?> options, int times) {
    options.iterations(0);
    options.invocationsPerIteration(times);
    options.minimizeFailedScenario(false);
    // By the real clock, which a busy machine uses up with loading classes. A wait that nobody can end is found without it.
    options.invocationTimeout$lincheck(LONGEST_RUN_MILLIS);
    if (waiting) {
      options.verifier(EpsilonVerifier.class);
    }
    for (Scenario scenario : scenarios) {
      options.addCustomScenario(
          new ExecutionScenario(
              calls(scenario.before), scenario.threads.stream().map(this::calls).toList(), List.of(), null));
    }
    try {
      options.check(operations);
      return Optional.empty();
    } catch (LincheckAssertionError found) {
      return Optional.of(found.getMessage());
    }
  }

  private List<Actor> calls(String text) {
    return Stream.of(text.split(",")).map(String::strip).filter(call -> !call.isEmpty()).map(this::call).toList();
  }

  private Actor call(String text) {
    String[] words = text.split(" ");
    Method method =
        Stream.of(operations.getMethods())
            .filter(m -> m.getName().equals(words[0]) && m.isAnnotationPresent(Operation.class))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException("no operation " + words[0] + " in " + operations));
    return new Actor(method, Stream.of(words).skip(1).<Object>map(Integer::valueOf).toList());
  }
}
