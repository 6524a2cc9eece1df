package io.queueworker.testkit.chaos;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A text with the seeds that once failed, one per line; what follows a {@code #} is a remark. Every run replays them first.
 * Stateless.
 */
final class SeedFile {

  private SeedFile() {}

  /**
   * The seeds in a resource of the class path, in order.
   *
   * @throws IllegalArgumentException when there is no such resource, or a line in it is no seed
   */
  static List<Long> read(String resource) {
    try (InputStream in = Thread.currentThread().getContextClassLoader().getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalArgumentException(
            "there is no resource " + resource + " on the class path; make an empty file, or leave the call out");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .map(line -> line.replaceFirst("#.*", "").strip())
          .filter(line -> !line.isEmpty())
          .map(SeedFile::seed)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long seed(String line) {
    try {
      return Long.parseLong(line);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("\"" + line + "\" is no seed: give one whole number per line", e);
    }
  }
}
