package io.queueworker.gate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** How texts for people are written so that every database takes them. */
class RowTextTest {

  @Test
  void a_database_that_holds_every_character_gets_each_but_the_one_that_none_can_store() {
    assertThat(new RowText(true).of("a\0\u017c", 10)).isEqualTo("a\uFFFD\u017c");
  }

  @Test
  void where_it_holds_only_some_those_beyond_ascii_become_escapes() {
    assertThat(new RowText(false).of("\u0001a\u007f\u0080\u017c\0", 100))
        .isEqualTo("\u0001a\u007f\\u0080\\u017c\\u0000");
  }

  @Test
  void a_text_is_cut_to_the_length_that_is_allowed_and_within_no_character() {
    RowText text = new RowText(true);
    assertThat(text.of("abc", 3)).isEqualTo("abc");
    assertThat(text.of("abcd", 3)).isEqualTo("abc");
    assertThat(text.of("ab\uD83D\uDE00", 3)).isEqualTo("ab");
    assertThat(text.of("a\uD83D\uDE00d", 3)).isEqualTo("a\uD83D\uDE00");
  }
}
