package io.queueworker;

import static io.queueworker.SettingsDraft.given;

import io.queueworker.gate.IdempotencyGate;
import io.queueworker.gate.NoGate;
import io.queueworker.handle.Work;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link WorkerBuilder} was told so far about the work on each message. Not thread-safe.
 *
 * @param <T> what message bodies decode to
 */
final class WorkDraft<T> {

  /** Makes the work once all is known. */
  private interface Maker<T> {
    Work<T, ?> make(WorkDraft<T> draft, String scope);
  }

  private BodyDecoder<? extends T> decoder;
  private @Nullable Maker<T> maker;
  FailurePolicy failurePolicy = FailurePolicy.defaults();
  Optional<Predicate<? super Delivery<T>>> keepAliveWhile = Optional.empty();

  /** Without a handler yet. */
  WorkDraft(BodyDecoder<? extends T> decoder) {
    this.decoder = decoder;
  }

  /** Replaces the decoder, while nothing depends on the type that the former one made. */
  void decode(BodyDecoder<? extends T> replacement) {
    if (maker != null) {
      throw new IllegalStateException("decode(…) comes after the handler: call it before handler(…) or once(…)");
    }
    if (keepAliveWhile.isPresent()) {
      // The condition was made for deliveries of the former type.
      throw new IllegalStateException("decode(…) comes after keepAliveWhile(…): call it before");
    }
    decoder = given("decode", replacement);
  }

  /** Takes a handler without a gate. */
  void handler(MessageHandler<? super T> handler) {
    given("handler", handler);
    once(NoGate.instance(), KeyFunction.messageId(), (delivery, nothing) -> run(handler, delivery));
  }

  @SuppressWarnings("unchecked") // A Delivery only gives its body away.
  private static <T> void run(MessageHandler<? super T> handler, Delivery<T> delivery) throws Exception {
    ((MessageHandler<T>) handler).handle(delivery);
  }

  /** Takes a handler behind a gate. */
  <R> void once(IdempotencyGate<R> gate, KeyFunction<T> key, GatedHandler<T, R> handler) {
    given("once: the gate", gate);
    given("once: the key function", key);
    given("once: the handler", handler);
    maker =
        (draft, scope) -> new Work<>(
            draft.decoder, gate, scope, key, handler, draft.failurePolicy, draft.keepAliveWhile);
  }

  /** Whether there is a handler. */
  boolean hasHandler() {
    return maker != null;
  }

  /** The work; only when there is a handler. */
  Work<T, ?> of(String scope) {
    if (maker == null) {
      throw new IllegalStateException("there is no handler: call handler(…) or once(…)");
    }
    return maker.make(this, scope);
  }
}
