package io.queueworker.testkit.chaos;

import io.queueworker.Delivery;
import io.queueworker.WorkerBuilder;

/** The library's own worlds: the plan's gate, and a handler that makes one effect per message. Stateless. */
final class DrawnSetup implements ChaosSetup {

  @Override
  public WorkerBuilder<?> describe(ChaosWorld at) {
    Handling handling = at.world().handling();
    WorkerBuilder<String> worker =
        ChaosStarts.of(at).<String>decode(body -> handling.decode(at, body)).keepAliveWhile(handling::isWanted);
    return switch (at.world().plan().settings().gate()) {
      case DATABASE, OWN -> worker.once(
          at.database().gate(),
          delivery -> key(at, delivery),
          (delivery, tx) -> handling.work(at, delivery, () -> tx.insert(delivery.body())));
      case LEASED_WITH_KEYS, LEASED_ONCE, LEASED_PLAIN -> worker.once(
          at.leasedGate(),
          delivery -> key(at, delivery),
          (delivery, fenced) -> handling.work(at, delivery, () -> at.outside().call(fenced, delivery.body())));
      case NONE -> worker.handler(
          delivery -> handling.work(at, delivery, () -> at.outside().call(delivery.body())));
    };
  }

  private static String key(ChaosWorld at, Delivery<String> delivery) {
    return at.world().handling().key(at, delivery.body());
  }
}
