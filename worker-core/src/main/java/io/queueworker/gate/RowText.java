package io.queueworker.gate;

/**
 * How texts for people are written into a key's row, so that none of them makes the database refuse it.
 *
 * <p>Immutable.
 *
 * @param unicode whether the database can hold every character; where not, those beyond ASCII become escapes
 */
record RowText(boolean unicode) {
  private static final int ASCII_END = 0x80;

  /** The text without NUL, which PostgreSQL cannot store, and cut at a whole character to at most {@code max}. */
  String of(String text, int max) {
    String shown = unicode ? text.replace('\0', '\uFFFD') : escaped(text);
    if (shown.length() <= max) {
      return shown;
    }
    boolean splitsPair = Character.isHighSurrogate(shown.charAt(max - 1));
    return shown.substring(0, splitsPair ? max - 1 : max);
  }

  private static String escaped(String text) {
    StringBuilder shown = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c > 0 && c < ASCII_END) {
        shown.append(c);
      } else {
        shown.append(String.format("\\u%04x", (int) c));
      }
    }
    return shown.toString();
  }
}
