package io.queueworker.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class EveryEventTest {

  @Test
  void no_type_of_event_is_missing() {
    Set<Class<?>> made = EveryEvent.all().stream().map(WorkerEvent::getClass).collect(Collectors.toSet());

    assertThat(made).isEqualTo(leaves(WorkerEvent.class).collect(Collectors.toCollection(LinkedHashSet::new)));
  }

  private static Stream<Class<?>> leaves(Class<?> type) {
    return type.isSealed()
        ? Arrays.stream(type.getPermittedSubclasses()).flatMap(EveryEventTest::leaves)
        : Stream.of(type);
  }
}
