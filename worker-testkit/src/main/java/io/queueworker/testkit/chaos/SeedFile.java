package io.queueworker.testkit.chaos;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The seeds that once failed, one per line; what follows a {@code #} is a remark. Every run replays them first.
 *
 * @param path the file; as good as empty while it is not there
 */
record SeedFile(Path path) {

  /**
   * The seeds, in order.
   *
   * @throws IllegalArgumentException when a line is no seed
   */
  List<Long> seeds() {
    if (Files.notExists(path)) {
      return List.of();
    }
    try {
      return Files.readAllLines(path).stream()
          .map(line -> line.replaceFirst("#.*", "").strip())
          .filter(line -> !line.isEmpty())
          .map(this::seed)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Adds the seed of a failure, unless it is there. A file that cannot be written is told of beside the failure. */
  void add(ChaosFailure failure) {
    if (seeds().contains(failure.seed())) {
      return;
    }
    String rule = String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
    try {
      Files.writeString(path, failure.seed() + " # " + rule + "\n", CREATE, APPEND);
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  private long seed(String line) {
    try {
      return Long.parseLong(line);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(path + ": \"" + line + "\" is no seed: give one whole number per line", e);
    }
  }
}
