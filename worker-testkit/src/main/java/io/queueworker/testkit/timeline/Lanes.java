package io.queueworker.testkit.timeline;

import java.util.ArrayList;
import java.util.List;

/** The rows of a message's picture: one for each worker, and one more where a worker has two receives at once. Stateless. */
final class Lanes {

  private Lanes() {}

  /** The receives by row, with a worker's rows together. */
  static List<List<Stay>> of(Story story) {
    List<List<Stay>> all = new ArrayList<>();
    for (String worker : story.workers()) {
      List<List<Stay>> own = new ArrayList<>();
      for (Stay stay : story.stays()) {
        if (stay.worker().equals(worker)) {
          rowFor(stay, own).add(stay);
        }
      }
      all.addAll(own);
    }
    return all;
  }

  private static List<Stay> rowFor(Stay stay, List<List<Stay>> rows) {
    for (List<Stay> row : rows) {
      if (row.getLast().end() <= stay.start()) {
        return row;
      }
    }
    List<Stay> row = new ArrayList<>();
    rows.add(row);
    return row;
  }
}
