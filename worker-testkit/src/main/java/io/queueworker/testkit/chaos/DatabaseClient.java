package io.queueworker.testkit.chaos;

import io.queueworker.gate.Admission;
import io.queueworker.gate.AttemptInfo;
import io.queueworker.gate.GateKey;
import io.queueworker.gate.IdempotencyGate;
import io.queueworker.testkit.chaos.StoreException.Kind;
import java.util.Optional;

/**
 * The modelled database as one worker reaches it. Its calls block in virtual time and fail as the plan says.
 *
 * <p>Not thread-safe, and need not be: simulated threads run one at a time.
 */
public final class DatabaseClient {

  private final Line line;
  private final SimulatedDatabase server;
  private final String queue;
  private int attempts;

  DatabaseClient(Line line, SimulatedDatabase server, String queue) {
    this.line = line;
    this.server = server;
    this.queue = queue;
  }

  /**
   * A gate as {@link io.queueworker.gate.JdbcGate} is one: the key's row and what the handler inserts commit together. It gives
   * every answer that a JdbcGate can give.
   */
  public IdempotencyGate<SimulatedTransaction> gate() {
    return new TalliedGate<>(line.world().tally(), new Gate());
  }

  /**
   * Commits an effect by itself, outside of the gate's transaction. Blocks in virtual time.
   *
   * @throws StoreException when the database did not answer; the effect may be there
   */
  public void insert(String effect) {
    line.<Boolean>send(ServiceCall.INSERT, reply -> server.insert(effect(effect), reply));
  }

  Effect effect(String name) {
    return new Effect(queue, name, line.machine().name(), line.world().timing().elapsed());
  }

  SimulatedDatabase server() {
    return server;
  }

  Line line() {
    return line;
  }

  /** Who completed a key, empty when nobody did. */
  Optional<String> look(GateKey key) {
    String owner = line.send(ServiceCall.LOOK, reply -> server.look(key, reply));
    return owner.isEmpty() ? Optional.empty() : Optional.of(owner);
  }

  private String nextOwner() {
    attempts++;
    return line.machine().name() + "-attempt-" + attempts;
  }

  /** The gate on this database. */
  private final class Gate implements IdempotencyGate<SimulatedTransaction> {

    @Override
    public void open() {
      if (server.isDown()) {
        throw new IllegalStateException("the modelled database is down; start the worker again");
      }
    }

    @Override
    public boolean transactional() {
      return true;
    }

    @Override
    public Admission<SimulatedTransaction> admit(GateKey key, AttemptInfo info) {
      try {
        return look(key).isPresent()
            ? new Admission.AlreadyDone<>(Optional.empty())
            : new Admission.Fresh<>(new DatabaseAttempt(DatabaseClient.this, key, nextOwner()));
      } catch (StoreException e) {
        if (e.kind() == Kind.CONFLICT) {
          return new Admission.InProgress<>();
        }
        throw e;
      }
    }
  }
}
