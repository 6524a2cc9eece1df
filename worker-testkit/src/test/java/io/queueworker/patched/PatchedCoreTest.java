package io.queueworker.patched;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queueworker.gate.LeaseStory;
import io.queueworker.settle.Completed;
import io.queueworker.settle.Remembered;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** That a patched worker runs with its patch, and that a patch that does not fit fails at once. */
class PatchedCoreTest {

  private static final String COMPLETED = "io.queueworker.settle.Completed";

  @Test
  void a_patch_changes_what_a_harness_sees() throws Exception {
    PatchedCore forgetful =
        PatchedCore.with(COMPLETED, "works.putIfAbsent(messageId, work);", "works.remove(messageId);");

    assertThat(forgetful.create(Remembers.class, Callable.class).call()).isEqualTo(false);
    assertThat(PatchedCore.unpatched().create(Remembers.class, Callable.class).call()).isEqualTo(true);
    assertThat(new Remembers().call()).isTrue();
  }

  @Test
  void white_space_between_the_words_of_a_snippet_does_not_matter() throws Exception {
    PatchedCore forgetful =
        PatchedCore.with(COMPLETED, """
            lock.lock(); try {
              works.putIfAbsent(messageId,
                  work);
            """, "lock.lock(); try {");

    assertThat(forgetful.create(Remembers.class, Callable.class).call()).isEqualTo(false);
  }

  @Test
  void several_snippets_are_replaced_together() throws Exception {
    PatchedCore core =
        PatchedCore.with(COMPLETED, "works.putIfAbsent(messageId, work);", "works.put(PREFIX + messageId, work);")
            .and(COMPLETED, "public final class Completed implements WorkerListener {",
                "public final class Completed implements WorkerListener { static final String PREFIX = \"x\";");

    assertThat(core.create(Remembers.class, Callable.class).call()).isEqualTo(false);
  }

  @Test
  void patches_of_two_files_meet() throws Exception {
    PatchedCore core =
        PatchedCore
            .with(COMPLETED, "works.putIfAbsent(messageId, work);",
                "works.put(io.queueworker.settle.SettleCalls.NAME, work);")
            .and(
                "io.queueworker.settle.SettleCalls",
                "private static final long GIVE_UP_AFTER",
                "static final String NAME = \"x\"; private static final long GIVE_UP_AFTER");

    assertThat(core.create(Remembers.class, Callable.class).call()).isEqualTo(false);
  }

  @Test
  void the_copy_is_loaded_apart_from_the_tests_own_classes() {
    PatchedCore core = PatchedCore.unpatched();

    assertThat(core.copyOf(Completed.class)).isNotSameAs(Completed.class).isSameAs(core.copyOf(Completed.class));
    assertThat(core.copyOf(Remembers.class).getClassLoader()).isSameAs(core.copyOf(Completed.class).getClassLoader());
    assertThatThrownBy(() -> core.create(Remembers.class, Remembers.class)).isInstanceOf(ClassCastException.class);
  }

  @Test
  void a_snippet_that_is_not_there_is_refused() {
    assertThatThrownBy(() -> PatchedCore.with(COMPLETED, "works.put(messageId, false);", ""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0 times in " + COMPLETED);
    assertThatThrownBy(() -> PatchedCore.with(COMPLETED, " ", "")).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void a_snippet_that_occurs_several_times_is_refused() {
    assertThatThrownBy(() -> PatchedCore.with(COMPLETED, "lock.lock();", ""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("3 times in " + COMPLETED);
  }

  @Test
  void code_that_does_not_compile_is_refused() {
    PatchedCore broken = PatchedCore.with(COMPLETED, "works.putIfAbsent(messageId, work);", "works.put(messageId, 1);");

    assertThatThrownBy(() -> broken.create(Remembers.class, Callable.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("does not compile")
        .hasMessageContaining("incompatible types");
  }

  @Test
  void a_class_without_a_source_of_worker_core_is_refused() {
    assertThatThrownBy(() -> PatchedCore.with("io.queueworker.settle.Missing", "x", "y"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("worker-core/src/main/java/io/queueworker/settle/Missing.java");
  }

  /** Whether a message is remembered that was just added. */
  static final class Remembers implements Callable<Boolean> {
    @Override
    public Boolean call() {
      Completed completed = new Completed(2);
      completed.add("a", new Remembered(1, Duration.ZERO, LeaseStory.UNKNOWN, 0));
      return completed.recall("a").isPresent();
    }
  }
}
