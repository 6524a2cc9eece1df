package io.queueworker.gate;

import java.util.regex.Pattern;

/** What a driver says, fit to be repeated: drivers quote their URL, and a URL can hold a password. Stateless. */
public final class DriverWords {
  private static final Pattern SECRET =
      Pattern.compile(
          "(?<=\\b(?:password|pwd|passwd)=)[^&;,\\s)\\]}\"']+|(?<=://)[^/@\\s]*:[^/@\\s]+(?=@)",
          Pattern.CASE_INSENSITIVE);

  private DriverWords() {}

  /** The exception's class and message, without what follows {@code password=} and without a user and password before a host. */
  public static String of(Throwable thrown) {
    return masked(thrown.toString());
  }

  /** The text without secrets, as in {@link #of(Throwable)}. */
  public static String masked(String text) {
    return SECRET.matcher(text).replaceAll("[hidden]");
  }

  /** The exception's message without secrets. */
  static String messageOf(Throwable thrown) {
    String message = thrown.getMessage();
    return message == null ? thrown.getClass().getSimpleName() : masked(message);
  }
}
