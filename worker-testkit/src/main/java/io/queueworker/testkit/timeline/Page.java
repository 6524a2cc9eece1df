package io.queueworker.testkit.timeline;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * A self-contained HTML page. Its policy forbids it to load or run anything, so that nothing in it can, whatever a message
 * id contains. Stateless.
 */
final class Page {

  private static final String NOTHING_BUT_STYLES = "default-src 'none'; style-src 'unsafe-inline'";

  private Page() {}

  /** A page with this title, whose main part the content writes. */
  static String of(String title, Consumer<Markup> content) {
    Markup page = new Markup();
    page.open("html", "lang", "en").line();
    page.open("head").line();
    page.empty("meta", "charset", "utf-8").line();
    page.empty("meta", "http-equiv", "Content-Security-Policy", "content", NOTHING_BUT_STYLES).line();
    page.empty("meta", "name", "viewport", "content", "width=device-width, initial-scale=1").line();
    page.empty("meta", "name", "color-scheme", "content", "light dark").line();
    page.leaf("title", title).line();
    page.style(sheet());
    page.close().line();
    page.open("body").line();
    content.accept(page);
    page.close().line();
    page.close().line();
    return "<!DOCTYPE html>\n" + page;
  }

  /** Writes a page to a file, whose directory is made where it is missing; gives back the file. */
  static Path write(String html, Path file) throws IOException {
    Path directory = file.toAbsolutePath().getParent();
    if (directory != null) {
      Files.createDirectories(directory);
    }
    return Files.writeString(file, html);
  }

  private static String sheet() {
    try (InputStream sheet = Page.class.getResourceAsStream("page.css")) {
      if (sheet == null) {
        throw new IllegalStateException("page.css is missing beside " + Page.class + ": the jar is not complete");
      }
      return new String(sheet.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
