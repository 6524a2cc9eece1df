package io.queueworker.examples;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PartFiguresTest {

  @Test
  void two_effects_or_a_second_run_are_told_from_success() {
    assertThat(new PartFigures(1, 1, 3, 0, 0).isOneRun()).isTrue();
    assertThat(new PartFigures(1, 2, 3, 0, 0).isOneRun()).isFalse();
    assertThat(new PartFigures(2, 1, 3, 0, 1).isOneRun()).isFalse();
    assertThat(new PartFigures(2, 1, 3, 9, 1).isTwoRunsWithOneEffect()).isTrue();
    assertThat(new PartFigures(2, 2, 3, 9, 0).isTwoRunsWithOneEffect()).isFalse();
    assertThat(new PartFigures(2, 0, 3, 9, 1).isTwoRunsWithOneEffect()).isFalse();
    assertThat(new PartFigures(2, 1, 3, 0, 1).isTwoRunsWithOneEffect()).isFalse();
  }
}
