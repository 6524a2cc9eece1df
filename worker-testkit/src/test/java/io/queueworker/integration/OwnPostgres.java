package io.queueworker.integration;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.stream.Stream;

/**
 * A PostgreSQL server of a test's own, which can be stopped and started again, on the same port, on the same data or on a
 * copy of it.
 *
 * <p>For one thread.
 */
final class OwnPostgres implements AutoCloseable {
  private final int port;
  private Path data;
  private EmbeddedPostgres server;

  /** Starts with new data in an empty directory. */
  OwnPostgres(Path data) throws IOException {
    this.data = data;
    this.server = builder(data).start();
    this.port = server.getPort();
  }

  private static EmbeddedPostgres.Builder builder(Path data) {
    return EmbeddedPostgres.builder().setDataDirectory(data).setCleanDataDirectory(false);
  }

  /** Where it listens, also after a restart. */
  int port() {
    return port;
  }

  /** Stops the server: open transactions are rolled back, and new connections refused. */
  void stop() throws IOException {
    server.close();
  }

  /** Starts the stopped server again. */
  void start() throws IOException {
    server = builder(data).setPort(port).start();
  }

  /** Starts a server on other data in place of the stopped one. */
  void start(Path otherData) throws IOException {
    data = otherData;
    start();
  }

  /** Copies the data of the stopped server to a directory that is not there yet. */
  void copyTo(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(data)) {
      for (Path file : files.toList()) {
        Files.copy(file, directory.resolve(data.relativize(file)), StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
