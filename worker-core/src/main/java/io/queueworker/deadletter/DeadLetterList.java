package io.queueworker.deadletter;

import java.util.List;

/**
 * What a listing found. Immutable, so thread-safe.
 *
 * @param letters the dead letters, each once, in the order in which they came
 * @param end why the listing ended
 * @param notGivenBack how many of them stay hidden until their visibility timeout runs out, because giving them back failed
 * @param notSeen what a listing like this one cannot see, in sentences for a person
 */
public record DeadLetterList(List<DeadLetter> letters, End end, int notGivenBack, List<String> notSeen) {

  public DeadLetterList {
    letters = List.copyOf(letters);
    notSeen = List.copyOf(notSeen);
  }

  /** Why a listing ended. */
  public enum End {
    /** A receive brought nothing more. */
    NOTHING_MORE_VISIBLE,
    /** It has as many as were asked for; there may be more. */
    COUNT_REACHED,
    /** Its time was over; there may be more. */
    TIME_OVER,
    /** The calling thread was interrupted; there may be more. */
    INTERRUPTED
  }
}
