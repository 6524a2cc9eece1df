package io.queueworker;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import io.queueworker.timing.KeeperLock;
import io.queueworker.timing.SystemTiming;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What docs/architecture.md says about packages and dependencies, held against the main classes. Each rule is also held
 * against a class in {@link Trespassers} that breaks it.
 */
class ArchitectureTest {

  private static final String ROOT = "io.queueworker";
  private static final JavaClasses MAIN =
      new ClassFileImporter().withImportOption(new ImportOption.DoNotIncludeTests()).importPackages(ROOT);
  private static final Path SOURCES = Path.of("src/main/java");

  private static final ArchRule ONLY_THE_ADAPTER_KNOWS_THE_AWS_SDK = only(ROOT + ".queue.sqs.", "software.amazon..")
      .because("one adapter per service; the worker sees the port");
  private static final ArchRule ONLY_THE_GATE_KNOWS_JDBC = only(ROOT + ".gate.", "java.sql..", "javax.sql..")
      .because("a worker without a database needs none");
  private static final ArchRule ONLY_OBSERVE_KNOWS_MICROMETER =
      only(ROOT + ".observe.|" + ROOT + ".WorkerBuilder", "io.micrometer..")
          .because("measuring is a listener; the builder hands the registry on");
  private static final ArchRule ONLY_OBSERVE_KNOWS_HDR_HISTOGRAM = only(ROOT + ".observe.", "org.HdrHistogram..")
      .because("durations are counted in one place");
  private static final ArchRule ONLY_RETRIES_KNOW_RESILIENCE4J =
      only(
          ROOT + ".receive.|" + ROOT + ".handle.|" + ROOT + ".deadletter.|" + ROOT + ".FailurePolicy|" + ROOT
              + ".WorkerBuilder",
          "io.github.resilience4j..")
          .because("intervals, breakers and limiters belong to the loops that wait; the builder hands them on");

  private static final ArchRule ONLY_SYSTEM_TIMING_READS_CLOCKS = onlySystemTiming("read a clock",
      calls("java.lang.System", "nanoTime", "currentTimeMillis").or(t -> t.getName().equals("now")
          && t.getOwner().getPackageName().equals("java.time"))
          .or(t -> t.getOwner().isAssignableTo("java.time.Clock")));
  private static final ArchRule ONLY_SYSTEM_TIMING_WAITS = onlySystemTiming("wait",
      calls("java.lang.Thread", "sleep", "join", "onSpinWait", "yield").or(calls("java.lang.Object", "wait"))
          .or(calls(LockSupport.class.getName(), "park", "parkNanos", "parkUntil"))
          .or(t -> t.getName().startsWith("await") && t.getOwner().getPackageName().startsWith("java.util.concurrent"))
          .or(t -> (t.getName().equals("get") || t.getName().equals("join"))
              && t.getOwner().isAssignableTo("java.util.concurrent.Future"))
          .or(t -> Set.of("java.util.concurrent.Semaphore", "java.util.concurrent.BlockingQueue")
              .stream().anyMatch(t.getOwner()::isAssignableTo)));
  private static final ArchRule ONLY_SYSTEM_TIMING_STARTS_THREADS = onlySystemTiming("start a thread",
      calls("java.lang.Thread", "<init>", "ofVirtual", "ofPlatform", "startVirtualThread")
          .or(calls("java.util.concurrent.Executors")).or(calls("java.util.Timer"))
          .or(t -> t.getName().equals("<init>") && t.getOwner().isAssignableTo("java.util.concurrent.Executor"))
          .or(t -> t.getOwner().isEquivalentTo(CompletableFuture.class)
              && (t.getName().endsWith("Async") || Set.of("orTimeout", "completeOnTimeout", "delayedExecutor")
                  .contains(t.getName())))
          .or(t -> t.getName().equals("parallel") || t.getName().equals("parallelStream")));
  private static final ArchRule ONLY_SYSTEM_TIMING_DRAWS_RANDOM_NUMBERS = onlySystemTiming("draw a random number",
      calls("java.lang.Math", "random").or(calls(ThreadLocalRandom.class.getName()))
          .or(t -> t.getName().equals("<init>") && t.getOwner().isAssignableTo("java.util.random.RandomGenerator")));

  private static final ArchRule NO_SYNCHRONIZED_METHODS = methods().should().notHaveModifier(JavaModifier.SYNCHRONIZED)
      .because("Java 21 pins a virtual thread that waits for a monitor; use ReentrantLock");

  /** Each rule with the class that breaks it. */
  static Stream<Arguments> rules() {
    return Stream.of(
        rule("only queue.sqs knows the AWS SDK", ONLY_THE_ADAPTER_KNOWS_THE_AWS_SDK, Trespassers.Sdk.class),
        rule("only gate knows JDBC", ONLY_THE_GATE_KNOWS_JDBC, Trespassers.Jdbc.class),
        rule("only observe knows Micrometer", ONLY_OBSERVE_KNOWS_MICROMETER, Trespassers.Meters.class),
        rule("only observe knows HdrHistogram", ONLY_OBSERVE_KNOWS_HDR_HISTOGRAM, Trespassers.Percentiles.class),
        rule("only retries know resilience4j", ONLY_RETRIES_KNOW_RESILIENCE4J, Trespassers.Intervals.class),
        rule("only SystemTiming reads clocks", ONLY_SYSTEM_TIMING_READS_CLOCKS, Trespassers.ReadsClock.class),
        rule("only SystemTiming reads clocks", ONLY_SYSTEM_TIMING_READS_CLOCKS, Trespassers.ReadsDate.class),
        rule("only SystemTiming waits", ONLY_SYSTEM_TIMING_WAITS, Trespassers.Sleeps.class),
        rule("only SystemTiming waits", ONLY_SYSTEM_TIMING_WAITS, Trespassers.AwaitsCondition.class),
        rule("only SystemTiming waits", ONLY_SYSTEM_TIMING_WAITS, Trespassers.TakesFromQueue.class),
        rule("only SystemTiming starts threads", ONLY_SYSTEM_TIMING_STARTS_THREADS, Trespassers.StartsThread.class),
        rule("only SystemTiming starts threads", ONLY_SYSTEM_TIMING_STARTS_THREADS, Trespassers.MakesPool.class),
        rule("only SystemTiming starts threads", ONLY_SYSTEM_TIMING_STARTS_THREADS, Trespassers.RunsAsync.class),
        rule("only SystemTiming draws", ONLY_SYSTEM_TIMING_DRAWS_RANDOM_NUMBERS, Trespassers.Draws.class),
        rule("no synchronized methods", NO_SYNCHRONIZED_METHODS, Trespassers.Synchronizes.class),
        rule("no standard streams", NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS, Trespassers.Prints.class));
  }

  @ParameterizedTest
  @MethodSource("rules")
  void the_main_classes_keep_the_rule(ArchRule rule, Class<?> trespasser) {
    rule.check(MAIN);
  }

  @ParameterizedTest
  @MethodSource("rules")
  void the_rule_catches_a_class_that_breaks_it(ArchRule rule, Class<?> trespasser) {
    JavaClasses classes = new ClassFileImporter().importClasses(trespasser);
    assertThatThrownBy(() -> rule.check(classes)).isInstanceOf(AssertionError.class)
        .hasMessageContaining(trespasser.getName());
  }

  /**
   * Receive, lease, gate, handle, settle: a step may know the ones that it hands a message to or asks about it, never
   * the ones that lead to it.
   */
  @Test
  void the_steps_point_one_way() {
    independent("timing", "queue", "receive", "lease", "gate", "handle", "settle", "observe").check(MAIN);
    independent("queue", "receive", "lease", "gate", "handle", "settle", "observe").check(MAIN);
    independent("gate", "receive", "lease", "handle", "settle").check(MAIN);
    independent("lease", "receive", "handle", "settle").check(MAIN);
    independent("settle", "receive", "handle").check(MAIN);
    independent("handle", "receive").check(MAIN);
    independent("deadletter", "receive", "lease", "gate", "handle", "settle", "observe").check(MAIN);
    independent("observe", "receive", "lease", "handle", "settle").check(MAIN);
    noClasses().that().resideOutsideOfPackage(ROOT + ".queue.sqs..").should().dependOnClassesThat()
        .resideInAPackage(ROOT + ".queue.sqs..").because("whoever uses the library picks the adapter").check(MAIN);
    slices().matching(ROOT + ".(*)..").should().beFreeOfCycles().allowEmptyShould(true).check(MAIN);
  }

  @Test
  void no_source_says_synchronized() throws IOException {
    for (Path source : sources()) {
      assertThat(code(Files.readString(source))).as(source.toString()).doesNotContainPattern("\\bsynchronized\\b");
    }
    assertThat(code("/** Not synchronized. */ String s = \"synchronized\"; // synchronized\n")).doesNotContain("sync");
    assertThat(code("void f() { synchronized (lock) {} }")).contains("synchronized (");
  }

  @Test
  void no_source_is_longer_than_300_lines_and_the_median_is_under_80() throws IOException {
    List<Integer> lengths = new ArrayList<>();
    for (Path source : sources()) {
      int length = Files.readAllLines(source).size();
      assertThat(length).as("lines of " + source).isLessThanOrEqualTo(300);
      lengths.add(length);
    }
    assertThat(lengths.stream().sorted().skip(lengths.size() / 2).findFirst().orElseThrow()).isLessThan(80);
  }

  /** Only classes whose names start with one of the prefixes depend on the library. */
  private static ArchRule only(String prefixes, String... library) {
    return noClasses().that().haveNameNotMatching("(" + prefixes.replace(".", "\\.") + ").*").should()
        .dependOnClassesThat().resideInAnyPackage(library).allowEmptyShould(true);
  }

  private static ArchRule onlySystemTiming(String what, Predicate<AccessTarget> forbidden) {
    return noClasses().that().doNotBelongToAnyOf(SystemTiming.class, KeeperLock.class).should()
        .accessTargetWhere(describe(what, access -> forbidden.test(access.getTarget())))
        .because("a whole worker runs in virtual time through the Timing seam").allowEmptyShould(true);
  }

  private static ArchRule independent(String step, String... others) {
    String[] forbidden = Stream.of(others).map(name -> ROOT + "." + name + "..").toArray(String[]::new);
    return noClasses().that().resideInAPackage(ROOT + "." + step + "..").should().dependOnClassesThat()
        .resideInAnyPackage(forbidden).allowEmptyShould(true);
  }

  /** Calls of the named methods of a class, or of any method when none is named. */
  private static Predicate<AccessTarget> calls(String owner, String... names) {
    return target -> target.getOwner().getName().equals(owner)
        && (names.length == 0 || Set.of(names).contains(target.getName()));
  }

  private static List<Path> sources() throws IOException {
    try (Stream<Path> files = Files.walk(SOURCES)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList();
    }
  }

  /** The source without comments and literals. */
  private static String code(String source) {
    return Pattern.compile("'\\\\?.'|\"\"\".*?\"\"\"|\"(\\\\.|[^\"\\\\\\n])*\"|/\\*.*?\\*/|//[^\\n]*", Pattern.DOTALL)
        .matcher(source).replaceAll(" ");
  }

  private static Arguments rule(String name, ArchRule rule, Class<?> trespasser) {
    return argumentSet(name + ", unlike " + trespasser.getSimpleName(), rule, trespasser);
  }
}
