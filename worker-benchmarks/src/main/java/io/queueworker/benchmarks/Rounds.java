package io.queueworker.benchmarks;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * The rounds of a part: in each, every contender once, in a process of its own, and in an order that moves on from round to
 * round, so that nobody is always first. For one thread.
 */
final class Rounds {

  /** Ends the name of a contender that works off a FIFO queue where the others have a standard one. */
  private static final String FIFO = "+fifo";

  private static final int HEAP_MEGABYTES = 1_536;

  private final ObjectMapper json = new ObjectMapper();
  private final Server server;

  /** Rounds on the queues of this server. */
  Rounds(Server server) {
    this.server = server;
  }

  /** Runs a part; the results of each contender, by round. */
  Map<String, List<Result>> run(Part part, int rounds) throws Exception {
    Map<String, List<Result>> results = new LinkedHashMap<>();
    part.contenders().forEach(name -> results.put(name, new ArrayList<>()));
    if (part.plan().service().isServer() && part.plan().kind() == Kind.SATURATED) {
      told("warm-up of the server", one(part.contenders().getFirst(), part.plan()));
    }
    for (int round = 1; round <= rounds; round++) {
      List<String> order = new ArrayList<>(part.contenders());
      Collections.rotate(order, 1 - round);
      Map<String, Result> ofRound = part.atOnce() ? beside(order, part) : inTurn(order, part, round);
      results.forEach((name, own) -> own.add(ofRound.getOrDefault(name, Result.failed("it did not run"))));
    }
    return results;
  }

  private Map<String, Result> inTurn(List<String> names, Part part, int round) throws Exception {
    Map<String, Result> results = new LinkedHashMap<>();
    for (String name : names) {
      results.put(name, told("round " + round + " " + name, one(name, part.plan())));
    }
    return results;
  }

  private Map<String, Result> beside(List<String> names, Part part) throws InterruptedException, ExecutionException {
    Map<String, Future<Result>> running = new LinkedHashMap<>();
    Map<String, Result> results = new LinkedHashMap<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      names.forEach(name -> running.put(name, threads.submit(() -> one(name, part.plan()))));
      for (Map.Entry<String, Future<Result>> one : running.entrySet()) {
        results.put(one.getKey(), told(one.getKey(), one.getValue().get()));
      }
    }
    return results;
  }

  private static Result told(String what, Result result) {
    System.err.println("  " + what + ": " + (result.stands() ? result.figures() : "VOID " + result.doubts()));
    return result;
  }

  private Result one(String written, Plan chosen) throws IOException, InterruptedException {
    boolean fifo = written.endsWith(FIFO);
    String name = fifo ? written.substring(0, written.length() - FIFO.length()) : written;
    Plan plan = fifo ? chosen.on(Service.ELASTICMQ_FIFO) : chosen;
    if (!plan.service().isServer()) {
      return contend(name, plan, "-");
    }
    String url = server.create(plan);
    try {
      return contend(name, plan, url);
    } finally {
      server.delete(url);
    }
  }

  private Result contend(String name, Plan plan, String url) throws IOException, InterruptedException {
    Duration limit = Duration.ofSeconds(plan.limitSeconds());
    try (Child child = Child.start(ContenderMain.class, HEAP_MEGABYTES, name, json.writeValueAsString(plan), url)) {
      Optional<String> line = child.line(limit);
      if (plan.kind() == Kind.TRICKLE && line.isPresent()) {
        Sender.send(url, plan);
        line = child.line(limit);
      }
      return line.isEmpty()
          ? Result.failed("it ended or hung; " + Child.LOG + " says why")
          : json.readValue(line.get(), Result.class);
    }
  }
}
