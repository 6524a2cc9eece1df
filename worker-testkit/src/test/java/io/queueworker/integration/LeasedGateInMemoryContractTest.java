package io.queueworker.integration;

import io.queueworker.gate.Fenced;
import io.queueworker.gate.IdempotencyGate;
import io.queueworker.gate.LeasedGate;
import io.queueworker.testkit.gate.IdempotencyGateContract;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** {@link LeasedGate#inMemory()} keeps the contract within its process. */
class LeasedGateInMemoryContractTest implements IdempotencyGateContract<Fenced> {
  private final LeasedGate gate = LeasedGate.inMemory();
  private final List<String> effects = new CopyOnWriteArrayList<>();

  @Override
  public IdempotencyGate<Fenced> gate() {
    return gate;
  }

  @Override
  public Optional<IdempotencyGate<Fenced>> gateWithoutStore() {
    return Optional.empty();
  }

  @Override
  public void effect(Fenced fenced, String id) {
    effects.add(id);
  }

  @Override
  public long effects(String id) {
    return effects.stream().filter(id::equals).count();
  }
}
