package io.queueworker.testkit.endpoint;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queueworker.testkit.endpoint.EndpointCall.Entry;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** What holds for every batch call, and for the one entry of a single call (docs/queue-facts.md A1). Stateless, so thread-safe. */
final class BatchRules {

  private static final int MOST = 10;
  private static final String ID = "[A-Za-z0-9_-]{1,80}";

  private BatchRules() {}

  /** What one entry did. */
  record Done(ObjectNode answer, Entry entry) {}

  /** Serves one entry of a call. */
  @FunctionalInterface
  interface EntryMaker {

    /**
     * Does what the entry asks for.
     *
     * @param position its place in the batch
     * @throws Refusal when the service refuses it
     */
    Done make(ApiRequest entry, int position);
  }

  /** What the log says about an entry that was refused. */
  @FunctionalInterface
  interface RefusedEntry {
    Entry of(int position, String code);
  }

  /** Serves the entries one by one; a refused one fails alone in a batch, and the call otherwise. */
  static CompletableFuture<Effect> serve(
      ApiRequest request, List<ApiRequest> entries, HttpFault fault, EndpointCall call, EntryMaker maker,
      RefusedEntry refused) {
    if (!request.isBatch()) {
      Done done = maker.make(request, 0);
      return CompletableFuture.completedFuture(new Effect(done.answer(), List.of(done.entry())));
    }
    ObjectNode body = ApiRequest.newObject();
    ArrayNode successful = body.putArray("Successful");
    ArrayNode failed = body.putArray("Failed");
    List<Entry> log = new ArrayList<>();
    for (int i = 0; i < entries.size(); i++) {
      ApiRequest entry = entries.get(i);
      String id = entry.optional("Id").orElse("");
      String messageId = i < call.entries().size() ? call.entries().get(i).messageId() : "";
      try {
        fault.errorOf(i, messageId).ifPresent(error -> {
          throw new Refusal(error);
        });
        Done done = maker.make(entry, i);
        done.answer().put("Id", id);
        successful.add(done.answer());
        log.add(done.entry());
      } catch (Refusal refusal) {
        ServiceError error = refusal.error();
        failed
            .addObject()
            .put("Id", id)
            .put("SenderFault", error.senderFault())
            .put("Code", error.code())
            .put("Message", error.message());
        log.add(refused.of(i, error.code()));
      }
    }
    return CompletableFuture.completedFuture(new Effect(body, log));
  }

  /** The entries of a call, checked as a batch when it is one. */
  static List<ApiRequest> entries(ApiRequest request) {
    List<ApiRequest> entries = request.entries();
    if (!request.isBatch()) {
      return entries;
    }
    Refusal.require(!entries.isEmpty(), ServiceError.emptyBatchRequest(request.name() + "RequestEntry"));
    Refusal.require(entries.size() <= MOST, ServiceError.tooManyEntriesInBatchRequest(entries.size()));
    Set<String> ids = new HashSet<>();
    for (ApiRequest entry : entries) {
      String id = entry.optional("Id").orElse("");
      Refusal.require(id.matches(ID), ServiceError.invalidBatchEntryId());
      Refusal.require(ids.add(id), ServiceError.batchEntryIdsNotDistinct(id));
    }
    return entries;
  }
}
