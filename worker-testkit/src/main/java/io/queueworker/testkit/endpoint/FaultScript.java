package io.queueworker.testkit.endpoint;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** Which calls go wrong: the first line that takes a call decides. Thread-safe; nothing blocks. */
final class FaultScript {

  private static final Choice NOTHING = new Choice(HttpFault.none(), () -> {});

  private final List<ScriptedFault> lines = new CopyOnWriteArrayList<>();

  /**
   * What goes wrong with one call.
   *
   * @param giveBack makes the line as if it had not taken the call
   */
  record Choice(HttpFault fault, Runnable giveBack) {

    /** The fault found nothing to spoil, so that it did not happen: its line waits for another call. */
    void missed() {
      giveBack.run();
    }
  }

  /** Writes a line below the others. */
  ScriptedFault add(ScriptedFault line) {
    lines.add(line);
    return line;
  }

  /** What goes wrong with a call that arrived. */
  Choice choose(EndpointCall call) {
    for (ScriptedFault line : lines) {
      Optional<HttpFault> fault = line.take(call);
      if (fault.isPresent()) {
        return new Choice(fault.get(), () -> line.giveBack(call));
      }
    }
    return NOTHING;
  }
}
