package io.queueworker.lease;

import io.queueworker.LossReason;
import io.queueworker.gate.Attempt.Renewal;
import io.queueworker.gate.DriverWords;
import io.queueworker.queue.EntryResult;
import io.queueworker.timing.Timing.ThreadPool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Renews the gate's records of leases before their beats, on threads of their own: a slow store delays no other lease's beat.
 * The record comes first, so that no other attempt can take the key over while the message is hidden.
 *
 * <p>Immutable.
 *
 * @param pool where it runs
 * @param most nanoseconds that renewals of one batch may take before those renewed get their extension without the rest
 */
record Renewals(LeaseClock clock, ThreadPool pool, long most, Losses losses) {

  /** Takes the answer to a beat that is not sent. */
  @FunctionalInterface
  interface Unsent {
    void answer(Beat beat, EntryResult result, long now);
  }

  /** Renews one after the other, and hands over those whose extension may be sent. The others are answered. */
  void renew(List<Beat> batch, Consumer<List<Beat>> send, Unsent unsent) {
    List<Beat> renewed = new ArrayList<>(batch.size());
    long begunAt = clock.now();
    for (Beat beat : batch) {
      long now = clock.now();
      if (now - begunAt > most) {
        send.accept(List.copyOf(renewed));
        renewed.clear();
        begunAt = now;
      }
      String problem = renew(beat, now);
      if (problem.isEmpty()) {
        renewed.add(beat.renewed(now));
      } else {
        unsent.answer(beat, new EntryResult.Retryable("not sent: " + problem), clock.now());
      }
    }
    send.accept(renewed);
  }

  /** Why the extension may not be sent, empty when it may. */
  private String renew(Beat beat, long now) {
    Renewal renewal = beat.lease().watch().renewal();
    if (renewal == null) {
      // The attempt has ended meanwhile.
      return "";
    }
    if (!beat.lease().isHeld(now)) {
      return "the lease had ended";
    }
    try {
      if (renewal.renew(Duration.ofNanos(beat.visibility()))) {
        return "";
      }
    } catch (Throwable t) {
      return "the gate's record could not be renewed: " + DriverWords.of(t);
    }
    losses.lose(beat.lease(), LossReason.TAKEN_OVER);
    return "the gate's record is another attempt's";
  }
}
