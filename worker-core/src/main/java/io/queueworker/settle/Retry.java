package io.queueworker.settle;

import java.util.List;

/** A settlement that has to be sent again, and from when on by the lease clock. */
record Retry(Settlement settlement, long at) {

  /** All of a call. */
  static List<Retry> all(List<Settlement> call, long at) {
    return call.stream().map(settlement -> new Retry(settlement, at)).toList();
  }
}
