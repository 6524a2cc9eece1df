package io.queueworker.testkit.chaos;

import io.queueworker.gate.GateKey;
import io.queueworker.testkit.chaos.StoreException.Kind;
import io.queueworker.testkit.simulation.SimulatedTiming;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A database that all machines share, as its server sees it: a row per completed key, the effects that were committed, and the
 * transactions that are open, each of which holds the lock of one key's row.
 *
 * <p>There is no constraint on the effects: one that is committed twice is there twice. A transaction whose client has died or
 * stands still keeps its lock until the server notices.
 *
 * <p>Not thread-safe, and need not be: simulated threads run one at a time. Its methods are called when a request arrives,
 * and do not wait.
 */
final class SimulatedDatabase {

  private final SimulatedTiming timing;
  private final Duration lockWait;
  private final Duration idleLimit;
  private final Consumer<Effect> made;
  private final Map<GateKey, String> completed = new HashMap<>();
  private final List<Effect> effects = new ArrayList<>();
  private final Map<GateKey, Transaction> locks = new HashMap<>();
  private final Set<Transaction> open = new LinkedHashSet<>();
  private final Map<GateKey, List<Runnable>> waiting = new HashMap<>();
  private final Set<Object> givenUp = new HashSet<>();
  private boolean down;

  /**
   * One without rows.
   *
   * @param made hears of each effect when it is committed
   */
  SimulatedDatabase(SimulatedTiming timing, Duration lockWait, Duration idleLimit, Consumer<Effect> made) {
    this.timing = timing;
    this.lockWait = lockWait;
    this.idleLimit = idleLimit;
    this.made = made;
  }

  /** Whose a key's row is when a transaction opens. */
  enum Claim {
    /** The key has no effect yet, and its row is locked. */
    MINE,
    /** It is completed. */
    DONE,
    /** Another transaction held it for too long. */
    BUSY
  }

  /** One transaction; its owner is a name that no other one has. */
  static final class Transaction {
    final GateKey key;
    final String owner;
    final List<Effect> pending = new ArrayList<>();
    boolean ended;
    Duration heard = Duration.ZERO;

    Transaction(GateKey key, String owner) {
      this.key = key;
      this.owner = owner;
    }
  }

  /** Whether it cannot be reached now. */
  boolean isDown() {
    return down;
  }

  /** The committed effects, in order. */
  List<Effect> effects() {
    return List.copyOf(effects);
  }

  /** Reads who completed a key; empty text when nobody did. */
  void look(GateKey key, Reply<String> reply) {
    if (isUp(reply)) {
      reply.answer(completed.getOrDefault(key, ""));
    }
  }

  /** Locks the key's row, waiting for the transaction that holds it, and tells whose the key is. */
  void open(Transaction transaction, Reply<Claim> reply) {
    if (!isUp(reply)) {
      return;
    }
    GateKey key = transaction.key;
    if (completed.containsKey(key)) {
      reply.answer(Claim.DONE);
    } else if (!locks.containsKey(key)) {
      locks.put(key, transaction);
      open.add(transaction);
      hear(transaction);
      reply.answer(Claim.MINE);
    } else {
      Object turn = new Object();
      waiting.computeIfAbsent(key, any -> new ArrayList<>()).add(() -> {
        if (givenUp.add(turn)) {
          open(transaction, reply);
        }
      });
      timing.after(
          lockWait,
          () -> {
            if (givenUp.add(turn)) {
              reply.answer(Claim.BUSY);
            }
          });
    }
  }

  /** Takes an effect into a transaction. */
  void insert(Transaction transaction, Effect effect, Reply<Boolean> reply) {
    if (isAlive(transaction, reply)) {
      transaction.pending.add(effect);
      hear(transaction);
      reply.answer(true);
    }
  }

  /** Commits an effect by itself. */
  void insert(Effect effect, Reply<Boolean> reply) {
    if (isUp(reply)) {
      add(effect);
      reply.answer(true);
    }
  }

  private void add(Effect effect) {
    effects.add(effect);
    made.accept(effect);
  }

  /** Makes a transaction's effects and its key's row durable. */
  void commit(Transaction transaction, Reply<Boolean> reply) {
    if (isAlive(transaction, reply)) {
      completed.put(transaction.key, transaction.owner);
      for (Effect effect : transaction.pending) {
        add(new Effect(effect.queue(), effect.name(), effect.machine(), timing.elapsed()));
      }
      end(transaction);
      reply.answer(true);
    }
  }

  /** Undoes a transaction; true when it was there. */
  void rollback(Transaction transaction, Reply<Boolean> reply) {
    if (isUp(reply)) {
      boolean there = !transaction.ended;
      end(transaction);
      reply.answer(there);
    }
  }

  /** Ends a transaction that the client has let go without a word, after a while. */
  void hear(Transaction transaction) {
    Duration now = timing.elapsed();
    transaction.heard = now;
    timing.after(
        idleLimit,
        () -> {
          if (transaction.heard.equals(now)) {
            end(transaction);
          }
        });
  }

  /** Breaks every connection: what was not committed is gone. */
  void cut() {
    List.copyOf(open).forEach(this::end);
  }

  /** Cannot be reached for this long. */
  void down(Duration length) {
    cut();
    down = true;
    timing.after(length, () -> down = false);
  }

  /** Has somebody else hold a key's row for this long, as soon as it is free. */
  void lock(GateKey key, Duration length) {
    Transaction other = new Transaction(key, "somebody else");
    if (locks.putIfAbsent(key, other) == null) {
      open.add(other);
      timing.after(length, () -> end(other));
    }
  }

  private void end(Transaction transaction) {
    transaction.ended = true;
    open.remove(transaction);
    if (locks.remove(transaction.key, transaction)) {
      @Nullable List<Runnable> next = waiting.remove(transaction.key);
      if (next != null) {
        next.forEach(Runnable::run);
      }
    }
  }

  private boolean isUp(Reply<?> reply) {
    if (down) {
      reply.fail(Line.lost("the database is down"));
      return false;
    }
    reply.refusal().ifPresent(reply::fail);
    return reply.refusal().isEmpty();
  }

  private boolean isAlive(Transaction transaction, Reply<?> reply) {
    if (!isUp(reply)) {
      if (reply.refusal().isPresent()) {
        end(transaction);
      }
      return false;
    }
    if (transaction.ended) {
      reply.fail(new StoreException(Kind.LOST, "the server has ended the connection"));
    }
    return !transaction.ended;
  }
}
