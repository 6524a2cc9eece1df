package io.queueworker.operations;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What a worker says, for comparison with what a page quotes of it: every text in worker-core's source. Immutable. */
record QuotedLines(String said) {

  private static final Pattern JOINED = Pattern.compile("\"\\s*\\+\\s*\"");
  private static final Pattern QUOTE = Pattern.compile("`([^`]*)`");

  /** Where a quote leaves something out, or a value or another text stands in between. */
  private static final Pattern GAP = Pattern.compile("…|\\bN\\b|[(),:]");

  static QuotedLines ofCore() throws IOException {
    Path source = Operations.directory().resolve("../../worker-core/src/main/java").normalize();
    StringBuilder said = new StringBuilder();
    try (Stream<Path> files = Files.walk(source)) {
      for (Path file : files.filter(name -> name.toString().endsWith(".java")).toList()) {
        said.append(JOINED.matcher(Files.readString(file)).replaceAll("")).append('\n');
      }
    }
    return new QuotedLines(said.toString());
  }

  /** The quotes of several words in a text of which no worker says a part. */
  List<String> unknownIn(String text) {
    List<String> unknown = new ArrayList<>();
    for (String quote : QUOTE.matcher(text).results().map(quoted -> quoted.group(1)).toList()) {
      if (quote.contains(" ") && !GAP.splitAsStream(quote).map(String::strip).allMatch(said::contains)) {
        unknown.add(quote);
      }
    }
    return unknown;
  }
}
