package io.queueworker.deadletter;

import io.queueworker.deadletter.RedriveReport.Left;
import io.queueworker.deadletter.RedriveReport.Why;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What became of the messages of one run, by id. Belongs to one thread. */
final class Tally {

  private final Map<String, Left> left = new LinkedHashMap<>();
  private final Set<String> passedOver = new HashSet<>();

  /** Of what was sent back in this run the first ids, and the ids that the source queue gave. */
  private final Set<String> sentBack = new HashSet<>();

  /** What a send was tried of, by its id on the dead-letter queue. */
  private final Set<String> tried = new HashSet<>();

  /** What is sent but not deleted, by its id on the dead-letter queue. */
  private final Set<String> undeleted = new HashSet<>();

  /** The message that stops each group. */
  private final Map<String, String> stopped = new HashMap<>();

  private int redriven;
  private int cameBack;
  private int filtered;
  private int ofOtherQueues;

  /** Whether this message was met before in this run and not taken. */
  boolean isPassedOver(DeadLetter letter) {
    return passedOver.contains(letter.id());
  }

  /** Whether this message was left before in this run, to be tried again when it comes. */
  boolean isLeft(DeadLetter letter) {
    return left.containsKey(letter.id());
  }

  /**
   * Whether it is a dead letter again after this run sent it back. One without its first id is known by the id that the source
   * queue gave it, which the service keeps when it moves it, and a worker notes when it rejects it.
   */
  boolean isBack(DeadLetter letter) {
    return (sentBack.contains(letter.originalId()) || sentBack.contains(letter.id()))
        && !undeleted.contains(letter.id());
  }

  /** Whether the source queue has it already, and only the delete is missing. */
  boolean isSent(DeadLetter letter) {
    return undeleted.contains(letter.id());
  }

  /** Whether an earlier message of its group is left. */
  boolean isBehind(DeadLetter letter) {
    return letter.group().map(stopped::get).filter(head -> !head.equals(letter.id())).isPresent();
  }

  void filteredOut(DeadLetter letter) {
    filtered += passedOver.add(letter.id()) ? 1 : 0;
  }

  void cameBack(DeadLetter letter) {
    cameBack += passedOver.add(letter.id()) ? 1 : 0;
  }

  void ofOtherQueue(DeadLetter letter) {
    ofOtherQueues += passedOver.add(letter.id()) ? 1 : 0;
  }

  /** Counted in a dry run. */
  void wouldGoBack(DeadLetter letter) {
    redriven += passedOver.add(letter.id()) ? 1 : 0;
    tried.add(letter.id());
  }

  /** Its send begins. */
  void tried(DeadLetter letter) {
    tried.add(letter.id());
  }

  void sent(DeadLetter letter, String newId) {
    sentBack.add(letter.originalId());
    sentBack.add(newId);
    undeleted.add(letter.id());
  }

  void deleted(DeadLetter letter) {
    redriven++;
    undeleted.remove(letter.id());
    left.remove(letter.id());
    letter.group().ifPresent(group -> stopped.remove(group, letter.id()));
  }

  void left(DeadLetter letter, Why why, String reason, boolean ordered) {
    left.put(letter.id(), new Left(letter.id(), why, reason));
    if (why == Why.REFUSED) {
      passedOver.add(letter.id());
    }
    if (ordered) {
      letter.group().ifPresent(group -> stopped.putIfAbsent(group, letter.id()));
    }
  }

  /** Its time ran out before a send in this round; what an earlier round said of it stays. */
  void late(DeadLetter letter) {
    left.putIfAbsent(
        letter.id(),
        new Left(
            letter.id(), Why.LATE,
            "its visibility timeout ran out before its turn, and could not be extended; it comes again"));
  }

  /** Whether nothing went back, is left, or came back. */
  boolean isUntouched() {
    return redriven == 0 && left.isEmpty() && cameBack == 0;
  }

  /** How many letters a send was tried of. */
  int tried() {
    return tried.size();
  }

  int redriven() {
    return redriven;
  }

  RedriveProgress progress() {
    return new RedriveProgress(redriven, filtered + cameBack + ofOtherQueues, left.size());
  }

  RedriveReport report(RedriveReport.End end, String detail, int notGivenBack) {
    return new RedriveReport(
        end, detail, redriven, filtered, cameBack, ofOtherQueues, notGivenBack, List.copyOf(left.values()));
  }
}
