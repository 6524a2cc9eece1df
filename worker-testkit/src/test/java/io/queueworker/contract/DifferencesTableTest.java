package io.queueworker.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.testkit.contract.QueueDifference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table in docs/testing.md lists exactly the differences that the contract knows. */
class DifferencesTableTest {

  private static final String SECTION = "## The queue contract, and where ElasticMQ differs";

  @Test
  void the_table_lists_exactly_the_known_differences() throws Exception {
    assertThat(rows()).isEqualTo(Arrays.stream(QueueDifference.values()).map(DifferencesTableTest::row).toList());
  }

  @Test
  void each_difference_is_a_fact_of_its_own() {
    assertThat(QueueDifference.values()).extracting(QueueDifference::fact).doesNotHaveDuplicates().isSorted();
  }

  private static String row(QueueDifference difference) {
    return "| B" + difference.fact() + " | " + difference.service() + " | " + difference.emulator() + " |";
  }

  private static List<String> rows() throws Exception {
    Path page = Stream.of("../docs/testing.md", "docs/testing.md").map(Path::of).filter(Files::exists).findFirst()
        .orElseThrow();
    List<String> lines = Files.readAllLines(page);
    int start = lines.indexOf(SECTION);
    assertThat(start).as(SECTION).isNotNegative();
    return lines.subList(start + 1, lines.size()).stream()
        .takeWhile(line -> !line.startsWith("## "))
        .filter(line -> line.startsWith("| B"))
        .toList();
  }
}
