package io.queueworker.testkit.chaos;

import io.queueworker.queue.EntryResult;
import io.queueworker.queue.QueueException;
import io.queueworker.queue.Receipt;
import io.queueworker.testkit.simulation.CallKind;
import io.queueworker.testkit.simulation.Fault;
import io.queueworker.testkit.simulation.SimulatedCall;
import io.queueworker.testkit.simulation.SimulatedMachine;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The disturbances of a plan that wait for the n-th call of a kind. Not thread-safe: simulated threads run one at a time.
 */
final class Troubles {

  private static final Duration SOON = Duration.ofMillis(1);

  private final List<ChaosStep> steps;
  private final World world;
  private final Map<CallKind, Integer> queueCalls = new EnumMap<>(CallKind.class);
  private final Map<ServiceCall, Integer> serviceCalls = new EnumMap<>(ServiceCall.class);
  private final Set<CallKind> denied = EnumSet.noneOf(CallKind.class);

  Troubles(World world, List<ChaosStep> steps) {
    this.world = world;
    this.steps = steps;
  }

  /** What goes wrong with the call to a modelled service that is made now; null when nothing does. */
  ChaosStep.@Nullable OnService next(ServiceCall call, SimulatedMachine machine) {
    int nth = serviceCalls.merge(call, 1, Integer::sum);
    for (ChaosStep step : steps) {
      if (step instanceof ChaosStep.OnService one && one.call() == call && one.nth() == nth) {
        world.fired(one, machine.name());
        return one;
      }
    }
    return null;
  }

  /** What goes wrong with this call to a queue, which is also judged. */
  Fault of(SimulatedCall call) {
    new CallRules(world).decided(call);
    int nth = queueCalls.merge(call.kind(), 1, Integer::sum);
    for (ChaosStep step : steps) {
      if (step instanceof ChaosStep.OnQueue one && one.call() == call.kind() && one.nth() == nth) {
        world.fired(one, call.machine());
        return fault(one, call);
      }
    }
    return denied.contains(call.kind()) ? denial(call.kind()) : Fault.none();
  }

  /** Takes the permission for calls of a kind away for a while. */
  void deny(CallKind kind, Duration length) {
    denied.add(kind);
    if (kind == CallKind.EXTEND) {
      denied.add(CallKind.RELEASE);
    }
    world.timing().after(
        length,
        () -> {
          denied.remove(kind);
          if (kind == CallKind.EXTEND) {
            denied.remove(CallKind.RELEASE);
          }
        });
  }

  private Fault fault(ChaosStep.OnQueue step, SimulatedCall call) {
    Duration length = step.length();
    return switch (step.trouble()) {
      case FAIL, CONFLICT, REFUSED -> Fault.unavailable();
      case THROTTLED -> Fault.throttled();
      case DENIED -> denial(step.call());
      case DELAY_REQUEST -> Fault.delayRequest(length);
      case DELAY_REPLY -> Fault.delayReply(length);
      case LOSE_REQUEST -> Fault.loseRequest();
      case LOSE_REPLY -> Fault.loseReply();
      case HANG -> Fault.hang(length);
      case ENTRY_LOST -> entry(step, call, new EntryResult.Lost("ReceiptHandleIsInvalid"));
      case ENTRY_GONE -> entry(step, call, new EntryResult.Gone());
      case ENTRY_RETRYABLE -> entry(step, call, new EntryResult.Retryable("InternalError"));
      case ENTRY_DENIED -> entry(step, call, new EntryResult.Denied(step.call().permission()));
      case COMES_AGAIN -> Fault.everyEntry(new EntryResult.Done(new Receipt("none")));
      case LATE_BESIDE_STANDSTILL -> {
        // The bytes are on their way, for as long as nobody is there to hear what became of them.
        world.timing().after(SOON, () -> world.fleet().freeze(call.machine(), length.plus(SOON)));
        yield Fault.delayRequest(length);
      }
      case FREEZE_BEFORE_SEND -> Fault.freezeBeforeSend(length);
      case KILL_BEFORE_SEND -> Fault.killBeforeSend();
      case KILL_AFTER_SEND -> Fault.killAfterSend();
      case KILL_AFTER_REPLY -> Fault.killAfterReply();
    };
  }

  /** Every entry of a batch, or one. */
  private static Fault entry(ChaosStep.OnQueue step, SimulatedCall call, EntryResult answer) {
    List<String> ids = call.messageIds();
    int drawn = (int) (step.length().toMillis() % (2L * Math.max(1, ids.size())));
    return drawn >= ids.size()
        ? Fault.everyEntry(answer)
        : Fault.entries(id -> id.equals(ids.get(drawn)) ? Optional.of(answer) : Optional.empty());
  }

  private static Fault denial(CallKind kind) {
    return Fault.fail(QueueException.denied(kind.permission(), "AccessDenied", null));
  }
}
