package io.queueworker.patched;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs a program with patched classes in front of the class path of the tests. */
final class PatchedProcess {

  private PatchedProcess() {}

  /** What the program wrote until it ended. */
  static String run(Path patched, Class<?> program, List<String> arguments) throws IOException, InterruptedException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String classPath = patched + File.pathSeparator + PatchCompiler.classPath();
    List<String> command =
        new ArrayList<>(
            List.of(
                java, "-XX:+EnableDynamicAgentLoading", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", classPath,
                program.getName()));
    command.addAll(arguments);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      process.getOutputStream().close();
      return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } finally {
      process.destroyForcibly();
      process.waitFor();
    }
  }
}
