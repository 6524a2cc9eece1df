package io.queueworker.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.queueworker.patched.PatchedCore;
import io.queueworker.spec.UnusedPermissions.Path;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every path of an attempt that is no outcome gives the breaker's permission back: else a half-open breaker never closes. */
class UnusedPermissionsTest {

  /** A worker that keeps what it did not use. */
  private static final PatchedCore KEEPS =
      PatchedCore.with("io.queueworker.handle.StartPermission", "breaker -> breaker.giveBack(unused)", "breaker -> {}");

  /** A worker that takes every failure for an outcome. */
  private static final PatchedCore COUNTS =
      PatchedCore.with(
          "io.queueworker.handle.StartPermission", "case Try.Failed failed when isOutcome(failed) -> {",
          "case Try.Failed failed -> {");

  @ParameterizedTest
  @EnumSource
  void a_path_that_is_no_outcome_gives_the_permission_back(Path path) {
    assertThat(new UnusedPermissions().apply(path.name())).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void a_worker_that_kept_it_would_be_noticed(Path path) {
    assertThat(on(KEEPS, path)).isEqualTo("the permission is gone");
  }

  @ParameterizedTest
  @EnumSource(names = {"BODY_NOT_DECODED", "NO_KEY", "LOST", "TOLD_TO_END"})
  void a_worker_that_counted_such_a_failure_would_be_noticed(Path path) {
    assertThat(on(COUNTS, path)).isNotEmpty();
  }

  @SuppressWarnings("unchecked")
  private static String on(PatchedCore core, Path path) {
    return (String) core.create(UnusedPermissions.class, Function.class).apply(path.name());
  }
}
