package io.queueworker.patched;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A copy of the worker in which a guard was removed, for negative controls: the test that is said to need the guard has to
 * fail on it.
 *
 * <p>One snippet of a source file of worker-core is replaced by another, the file is compiled, and a class loader of its own
 * loads all of {@code io.queueworker} again with the patched classes in front: core, testkit and tests. A class of that copy is
 * not the class of the same name that the test sees, so a test talks to it through the JDK's own types:
 *
 * <pre>{@code
 * var core = PatchedCore.with("io.queueworker.settle.Completed", "works.putIfAbsent(messageId, work);", "");
 * Callable<Boolean> harness = core.create(CompletedHarness.class, Callable.class);
 * }</pre>
 *
 * Compiled when it is first used. Used by one thread; what it creates is as thread-safe as the original.
 */
public final class PatchedCore {

  private final Map<String, String> sources;
  private PatchedClasses loader;

  private PatchedCore(Map<String, String> sources) {
    this.sources = sources;
  }

  /**
   * A worker with one snippet replaced.
   *
   * @param className the top-level class of worker-core whose file it is in
   * @param snippet has to occur exactly once; how much white space stands between its words does not matter
   * @throws IllegalArgumentException when it occurs never or more than once
   */
  public static PatchedCore with(String className, String snippet, String replacement) {
    return new PatchedCore(Map.of()).and(className, snippet, replacement);
  }

  /** The worker as it is, in a class loader of its own: what a control is compared with. */
  public static PatchedCore unpatched() {
    return new PatchedCore(Map.of());
  }

  /** This worker with one more snippet replaced, as {@link #with} does. */
  public PatchedCore and(String className, String snippet, String replacement) {
    Map<String, String> patched = new HashMap<>(sources);
    String source = patched.computeIfAbsent(className, PatchedCore::source);
    patched.put(className, replaceOnce(className, source, snippet, replacement));
    return new PatchedCore(Map.copyOf(patched));
  }

  /**
   * This worker's copy of a class of {@code io.queueworker}, of its tests too.
   *
   * @throws IllegalArgumentException when the patched source does not compile
   */
  public Class<?> copyOf(Class<?> original) {
    if (loader == null) {
      loader = new PatchedClasses(PatchCompiler.compile(sources));
    }
    try {
      return loader.loadClass(original.getName());
    } catch (ClassNotFoundException e) {
      throw new IllegalArgumentException(original + " cannot be loaded again", e);
    }
  }

  /**
   * A new object of this worker's copy of {@code harness}, by its constructor without arguments, which need not be public.
   *
   * @param type how the test sees it: a type of the JDK that the harness implements
   */
  public <T> T create(Class<?> harness, Class<T> type) {
    try {
      var constructor = copyOf(harness).getDeclaredConstructor();
      constructor.setAccessible(true);
      return type.cast(constructor.newInstance());
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException(harness + " needs a constructor without arguments that does not throw", e);
    }
  }

  /**
   * Runs a program on this worker in a JVM of its own, for tools that see only what is on the class path.
   *
   * @return what it wrote
   */
  public String run(Class<?> program, List<String> arguments) throws IOException, InterruptedException {
    Path directory = Files.createTempDirectory("patched");
    try {
      for (Map.Entry<String, byte[]> patched : PatchCompiler.compile(sources).entrySet()) {
        Path file = directory.resolve(patched.getKey().replace('.', '/') + ".class");
        Files.createDirectories(file.getParent());
        Files.write(file, patched.getValue());
      }
      return PatchedProcess.run(directory, program, arguments);
    } finally {
      try (Stream<Path> files = Files.walk(directory)) {
        files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
      }
    }
  }

  private static String replaceOnce(String className, String source, String snippet, String replacement) {
    String words =
        Stream.of(snippet.strip().split("\\s+")).map(Pattern::quote).collect(Collectors.joining("\\s+"));
    Matcher found = Pattern.compile(words).matcher(source);
    long times = found.results().count();
    if (snippet.isBlank() || times != 1) {
      throw new IllegalArgumentException(
          "the snippet occurs " + times + " times in " + className + ", once is needed: " + snippet);
    }
    return found.reset().replaceFirst(Matcher.quoteReplacement(replacement));
  }

  /** The text of a file of worker-core, whether the test runs in its module's directory or in the root. */
  private static String source(String className) {
    String file = "worker-core/src/main/java/" + className.replace('.', '/') + ".java";
    Path path = Stream.of(Path.of("..", file), Path.of(file))
        .filter(Files::exists)
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException(
                "no source " + file + " seen from " + Path.of("").toAbsolutePath()
                    + "; name a top-level class of worker-core"));
    try {
      return Files.readString(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
