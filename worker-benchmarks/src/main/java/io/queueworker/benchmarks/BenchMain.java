package io.queueworker.benchmarks;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs a scenario of docs/performance.md: prints tables, and writes every value to a file of JSON. All of it on the loopback
 * interface; it ends by itself, and its processes with it.
 *
 * <p>Run it with {@code mvn -q -Pbenchmarks compile exec:exec@bench -Dscenario=A}, and {@code -Drounds=5}, {@code
 * -Dmessages=20000}, {@code -Dwarmup=20000}, {@code -Dcontenders=raw-12,queueworker} or {@code -Dseconds=60} if you like. The
 * exit code is 1 when a figure is void: when messages were not handled or not deleted.
 */
public final class BenchMain {

  private BenchMain() {}

  /** Takes system properties: {@link Options}. */
  public static void main(String[] args) throws Exception {
    Options options = Options.read();
    String machine = Machine.line();
    System.out.println(machine);
    System.out.println(Machine.load());
    List<Summary> summaries = new ArrayList<>();
    try (Server server = Server.start()) {
      Rounds rounds = new Rounds(server);
      for (Part written : options.parts()) {
        Part part = written.with(options);
        System.err.println(part.title());
        Summary summary = new Summary(part, rounds.run(part, options.rounds()));
        summaries.add(summary);
        System.out.print(Table.of(summary));
      }
    }
    Files.createDirectories(options.json().toAbsolutePath().getParent());
    new ObjectMapper()
        .writerWithDefaultPrettyPrinter()
        .writeValue(options.json().toFile(), Report.of(options.scenario(), machine, summaries));
    System.out.println("\n" + options.json().toAbsolutePath());
    boolean allStand =
        summaries.stream()
            .allMatch(summary -> summary.part().contenders().stream().allMatch(name -> summary.doubts(name).isEmpty()));
    System.exit(allStand ? 0 : 1);
  }
}
