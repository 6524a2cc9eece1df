package io.queueworker.benchmarks;

/** The contenders by their names. Stateless. */
final class Contenders {

  private Contenders() {}

  /** Whether it is a library that others have written. */
  static boolean isPeer(String name) {
    return name.startsWith("spring") || name.startsWith("jms-") || name.equals("dynamic");
  }

  /**
   * Makes one.
   *
   * @param name {@code bare} for one that does nothing; {@code raw-12} for a loop with twelve pollers, {@code raw-12a} when it
   *     asks for all attributes; {@code queueworker} with {@code +} before each {@link WorkerContender option}; {@code spring},
   *     {@code spring-virtual}, {@code jms-12} with twelve sessions, {@code dynamic}
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
    if (name.equals("spring") || name.equals("spring-virtual")) {
      return new SpringListener(job, name.equals("spring-virtual"));
    }
    if (name.matches("jms-\\d{1,3}")) {
      return new JmsConsumers(job, Integer.parseInt(name.substring("jms-".length())));
    }
    if (name.equals("dynamic")) {
      return new DynamicListener(job);
    }
    throw new IllegalArgumentException(
        "contender is \"" + name
            + "\": give bare, raw-12 (any number of pollers), queueworker with options, spring, spring-virtual, jms-12 (any"
            + " number of sessions), or dynamic");
  }
}
