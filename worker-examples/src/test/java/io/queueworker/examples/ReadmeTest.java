package io.queueworker.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The README's Java blocks, in order, are what {@link ReadmeSnippets} compiles, but for comments, spaces and ellipses. */
class ReadmeTest {

  private static final Path README = Path.of("..", "README.md");
  private static final Path SNIPPETS = Path.of("src/test/java/io/queueworker/examples/ReadmeSnippets.java");

  @Test
  void the_readme_shows_code_that_compiles() throws IOException {
    String shown = plain(all("```java\n(.*?)```", Files.readString(README)));
    String compiled = plain(all("// from here\n(.*?)// to here\n", Files.readString(SNIPPETS)));

    assertThat(shown).startsWith("QueueWorkerworker=QueueWorker.of(").contains("SimulatedTiming.run(");
    assertThat(shown).isEqualTo(compiled);
  }

  private static String all(String pattern, String text) {
    return Pattern.compile(pattern, Pattern.DOTALL)
        .matcher(text)
        .results()
        .map((MatchResult found) -> found.group(1))
        .collect(Collectors.joining("\n"));
  }

  /** Only what the compiler reads, less "static", which nested classes need and the README's do not. */
  private static String plain(String code) {
    return code.replaceAll("//[^\n]*", "").replace("static class", "class").replaceAll("[\\s…]+", "");
  }
}
