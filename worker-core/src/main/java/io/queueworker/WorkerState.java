package io.queueworker;

/**
 * Where a worker is in its life.
 *
 * <pre>
 * NEW ──start()──► RUNNING ──close()──► DRAINING ──drained or budget spent──► CLOSED
 *   └──────────────start failed, or close() before start───────────────────────▲
 * </pre>
 */
public enum WorkerState {
  NEW,
  RUNNING,
  DRAINING,
  CLOSED
}
