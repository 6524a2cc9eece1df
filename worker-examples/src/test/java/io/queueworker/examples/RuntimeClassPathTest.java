package io.queueworker.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the programs find when they are run by Maven: tests have a longer class path and would not miss anything. */
class RuntimeClassPathTest {

  private static final Pattern DEPENDENCY =
      Pattern.compile("<dependency>\\s*<groupId>[^<]*</groupId>\\s*<artifactId>([^<]*)</artifactId>(.*?)</dependency>",
          Pattern.DOTALL);

  @Test
  void nothing_that_the_library_needs_is_declared_for_tests_alone() throws Exception {
    Set<String> needed = declared("../worker-core/pom.xml", false);
    needed.addAll(declared("../worker-testkit/pom.xml", false));
    assertThat(needed).contains("resilience4j-ratelimiter", "slf4j-api");
    assertThat(declared("pom.xml", true)).isNotEmpty().doesNotContainAnyElementsOf(needed);
  }

  /** The artifacts that a module declares for its tests alone, or for more. */
  private static Set<String> declared(String pom, boolean testsAlone) throws Exception {
    Set<String> found = new HashSet<>();
    Matcher dependency = DEPENDENCY.matcher(Files.readString(Path.of(pom)));
    while (dependency.find()) {
      if (dependency.group(2).contains("<scope>test</scope>") == testsAlone) {
        found.add(dependency.group(1));
      }
    }
    return found;
  }
}
