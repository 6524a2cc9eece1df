package io.queueworker.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A proxy on the loopback interface that adds a time to each request, as a region that is not next door does. It looks at no
 * byte: a request begins with the first bytes that a client sends after an answer, since the clients here send the next one on
 * a connection only after that. Thread-safe; it ends with its process.
 */
final class SlowProxy {

  private static final int BUFFER = 64 * 1_024;
  private static final int BACKLOG = 256;

  private final ServerSocket accepting;
  private final int target;
  private final Duration added;

  private SlowProxy(ServerSocket accepting, int target, Duration added) {
    this.accepting = accepting;
    this.target = target;
    this.added = added;
  }

  /** Starts one in front of this port. */
  static SlowProxy start(int target, Duration added) throws IOException {
    SlowProxy proxy = new SlowProxy(new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress()), target, added);
    Thread.ofVirtual().start(proxy::accept);
    return proxy;
  }

  /** Where it listens. */
  int port() {
    return accepting.getLocalPort();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = accepting.accept();
        Thread.ofVirtual().start(() -> serve(client));
      }
    } catch (IOException ended) {
      // With the process.
    }
  }

  private void serve(Socket client) {
    try (client; Socket server = new Socket()) {
      client.setOption(StandardSocketOptions.TCP_NODELAY, true);
      server.setOption(StandardSocketOptions.TCP_NODELAY, true);
      server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target));
      AtomicBoolean answered = new AtomicBoolean(true);
      Thread answers = Thread.ofVirtual().start(() -> answer(server, client, answered));
      InputStream from = client.getInputStream();
      OutputStream to = server.getOutputStream();
      byte[] buffer = new byte[BUFFER];
      for (int read = from.read(buffer); read > 0; read = from.read(buffer)) {
        if (answered.getAndSet(false)) {
          Thread.sleep(added);
        }
        to.write(buffer, 0, read);
      }
      server.shutdownOutput();
      answers.join();
    } catch (IOException ended) {
      // One of the two is gone, and now the other is too.
    } catch (InterruptedException nobodyDoes) {
      Thread.currentThread().interrupt();
    }
  }

  private static void answer(Socket server, Socket client, AtomicBoolean answered) {
    byte[] buffer = new byte[BUFFER];
    try {
      InputStream from = server.getInputStream();
      OutputStream to = client.getOutputStream();
      for (int read = from.read(buffer); read > 0; read = from.read(buffer)) {
        answered.set(true); // before the client can know, and begin the next
        to.write(buffer, 0, read);
      }
      client.close();
    } catch (IOException ended) {
      // One of the two is gone.
    }
  }
}
