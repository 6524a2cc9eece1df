package io.queueworker.examples.chaos;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * How a program of this run is started as a process of its own: with this JVM's Java and class path, small and quick to
 * start. Its standard input and output are the parent's; its log goes to a file. Immutable.
 *
 * @param log the file to which all append
 */
record ChildJvm(Path log) {

  /** Starts a program. */
  Process start(Class<?> main, int heapMegabytes, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xshare:auto",
            "-Xmx" + heapMegabytes + "m",
            "-XX:+IgnoreUnrecognizedVMOptions", // JDK 21 does not know the next one
            "--sun-misc-unsafe-memory-access=allow",
            "-Daws.region=eu-west-1", // any region and credentials do
            "-Daws.accessKeyId=none",
            "-Daws.secretAccessKey=none",
            "-classpath",
            System.getProperty("java.class.path"),
            main.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectError(Redirect.appendTo(log.toFile())).start();
  }
}
