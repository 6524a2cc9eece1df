package io.queueworker.testkit.endpoint;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Which calls go wrong: the first line that takes a call decides. Thread-safe; nothing blocks. */
final class FaultScript {

  private final List<ScriptedFault> lines = new CopyOnWriteArrayList<>();

  /** Writes a line below the others. */
  ScriptedFault add(ScriptedFault line) {
    lines.add(line);
    return line;
  }

  /** What goes wrong with a call that arrived. */
  HttpFault faultFor(EndpointCall call) {
    for (ScriptedFault line : lines) {
      if (line.takes(call)) {
        return line.fault();
      }
    }
    return HttpFault.none();
  }
}
