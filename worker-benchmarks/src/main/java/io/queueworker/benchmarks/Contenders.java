package io.queueworker.benchmarks;

/** The contenders by their names. Stateless. */
final class Contenders {

  private Contenders() {}

  /**
   * Makes one.
   *
   * @param name {@code bare} for one that does nothing; {@code raw-12} for a loop with twelve pollers, {@code raw-12a} when it
   *     asks for all attributes; {@code queueworker} with {@code +} before each {@link WorkerContender option}
   */
  static Contender named(String name, Job job) {
    if (name.equals("bare")) {
      return new BareProcess(job);
    }
    if (name.matches("raw-\\d{1,3}a?")) {
      boolean attributes = name.endsWith("a");
      return new RawLoop(job, Integer.parseInt(name.replaceAll("\\D", "")), attributes);
    }
    if (name.matches("queueworker(\\+.*)?")) {
      return new WorkerContender(job, name);
    }
    throw new IllegalArgumentException(
        "contender is \"" + name + "\": give bare, raw-12 (any number of pollers), or queueworker with options");
  }
}
