package io.queueworker.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;

/** Headless Chromium, which opens files and knows no host's address. Immutable. */
final class Browser {

  private static final long LONGEST_MINUTES = 5;

  private final Path directory;

  /** A browser that keeps its files in this directory, which each visit needs for itself. */
  Browser(Path directory) {
    this.directory = directory;
  }

  /**
   * What became of a page. Immutable.
   *
   * @param dom the page after loading
   * @param console what it wrote to the console, warnings and errors included
   * @param loaded what it tried to load over the network
   */
  record Visit(Document dom, List<String> console, List<String> loaded) {}

  /** Opens a page and waits until it is loaded. */
  Visit open(Path page) throws IOException, InterruptedException {
    Path network = directory.resolve("network.json");
    Path dom = directory.resolve("dom.html");
    Path log = directory.resolve("log.txt");
    List<String> command = new ArrayList<>();
    command.addAll(
        List.of(
            "/usr/bin/chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"));
    command.addAll(List.of("--disable-background-networking", "--disable-component-update", "--disable-sync"));
    command.add("--host-resolver-rules=MAP * ~NOTFOUND"); // what the browser itself asks for is not sent either
    command.add("--user-data-dir=" + directory.resolve("profile"));
    command.addAll(List.of("--enable-logging=stderr", "--v=0", "--log-net-log=" + network, "--dump-dom"));
    command.add(page.toUri().toString());
    Process process =
        new ProcessBuilder(command).redirectOutput(dom.toFile()).redirectError(log.toFile()).start();
    try {
      assertThat(process.waitFor(LONGEST_MINUTES, TimeUnit.MINUTES)).as("Chromium ends").isTrue();
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    List<String> lines = Files.readAllLines(log);
    assertThat(process.exitValue()).as(String.join("\n", lines)).isZero();
    return new Visit(
        Jsoup.parse(Files.readString(dom)),
        lines.stream().filter(line -> line.contains(":CONSOLE:")).toList(),
        requestsOfThePage(new ObjectMapper().readTree(network.toFile())));
  }

  /** The browser asks for things of its own too; those have no page as their initiator. */
  private static List<String> requestsOfThePage(JsonNode log) {
    int start = log.get("constants").get("logEventTypes").get("URL_REQUEST_START_JOB").asInt();
    List<String> urls = new ArrayList<>();
    for (JsonNode event : log.get("events")) {
      JsonNode about = event.path("params");
      boolean ofThePage = !about.path("initiator").asText("not an origin").equals("not an origin");
      if (event.get("type").asInt() == start && about.has("url") && ofThePage) {
        urls.add(about.get("url").asText());
      }
    }
    return urls;
  }
}
