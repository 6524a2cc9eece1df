package io.queueworker.benchmarks;

/** A process that has built its clients and receives nothing: what a JVM costs by itself. For one thread. */
final class BareProcess implements Contender {

  private final Job job;

  /** Nothing to do. */
  BareProcess(Job job) {
    this.job = job;
  }

  @Override
  public void start() {
    job.clients().receive();
    job.clients().control();
  }

  @Override
  public void close() {
    // It has begun nothing.
  }
}
