package io.queueworker.integration;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A loopback TCP proxy in front of a server that cuts a connection at a chosen word of the client.
 *
 * <p>It forwards bytes and understands nothing but the word, which it expects within one write of the client. A cut is
 * armed, happens once, to the connection that sends the word first, and leaves the others alone.
 *
 * <p>Thread-safe.
 */
final class CuttingProxy implements AutoCloseable {
  private static final int CHUNK = 64 * 1024;
  private static final long BOUND_SECONDS = 60;

  /** Where the connection breaks. */
  enum Cut {
    /** The word never reaches the server, which sees the connection end. */
    BEFORE_THE_SERVER,
    /** The word reaches the server; its answer never reaches the client. */
    BEFORE_THE_CLIENT,
    /** The client sees the connection end; the word reaches the server when {@link #deliver()} is called. */
    AND_DELIVER_LATE
  }

  private final ServerSocket listener;
  private final int serverPort;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicReference<Armed> armed = new AtomicReference<>();
  private final CountDownLatch delivery = new CountDownLatch(1);
  private final CountDownLatch cut = new CountDownLatch(1);
  private volatile boolean refusing;

  /** Listens on a free loopback port for connections to the loopback port {@code serverPort}. */
  CuttingProxy(int serverPort) throws IOException {
    this.serverPort = serverPort;
    this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().name("cutting-proxy").start(this::accept);
  }

  /** The port to connect to. */
  int port() {
    return listener.getLocalPort();
  }

  /**
   * Arms a cut.
   *
   * @param word ASCII text in what the client sends
   * @param beforeCut waits, once the word is on its way to the server, for what has to happen before the client is cut
   */
  void arm(Cut where, String word, Step beforeCut) {
    armed.set(new Armed(where, word, beforeCut));
  }

  /** Accepts new connections only to close them, or stops doing so. */
  void refuseNew(boolean refuse) {
    refusing = refuse;
  }

  /** The server is gone: closes what is open, and refuses until {@link #refuseNew} is called with false. */
  void down() {
    refuseNew(true);
    open.forEach(CuttingProxy::end);
  }

  /** Lets the server have the word that was held back. */
  void deliver() {
    delivery.countDown();
  }

  /** Waits until the armed cut has happened, and fails if it does not. */
  void awaitCut() throws InterruptedException {
    if (!cut.await(BOUND_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("no client sent the word of the cut within " + BOUND_SECONDS + " s");
    }
  }

  @Override
  public void close() throws IOException {
    deliver();
    listener.close();
    open.forEach(CuttingProxy::end);
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        if (refusing) {
          end(client);
          continue;
        }
        Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
        Line line = new Line(client, server);
        open.add(client);
        open.add(server);
        if (refusing) {
          // down() closed what was open before this one was.
          line.hangUp();
          continue;
        }
        Thread.ofVirtual().name("cutting-proxy-up").start(line::up);
        Thread.ofVirtual().name("cutting-proxy-down").start(line::down);
      } catch (IOException e) {
        // The proxy was closed, or this one connection failed: the client sees it closed.
      }
    }
  }

  private static void end(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It is closed.
    }
  }

  /** Something that takes its time. */
  @FunctionalInterface
  interface Step {
    void run() throws Exception;
  }

  /** A cut to come. */
  private record Armed(Cut where, String word, Step beforeCut) {

    boolean isIn(byte[] bytes, int length) {
      return new String(bytes, 0, length, StandardCharsets.ISO_8859_1).contains(word);
    }
  }

  /** One connection through the proxy. */
  private final class Line {
    private final Socket client;
    private final Socket server;
    private volatile boolean silenced;

    Line(Socket client, Socket server) {
      this.client = client;
      this.server = server;
    }

    void up() {
      byte[] bytes = new byte[CHUNK];
      try {
        InputStream in = client.getInputStream();
        OutputStream out = server.getOutputStream();
        for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
          Armed now = armed.get();
          if (now != null && now.isIn(bytes, n) && armed.compareAndSet(now, null)) {
            cut(now, bytes, n, out);
            return;
          }
          out.write(bytes, 0, n);
        }
      } catch (Exception e) {
        // One side is gone: so is the other.
      } finally {
        hangUp();
      }
    }

    private void cut(Armed now, byte[] bytes, int n, OutputStream out) throws Exception {
      silenced = true;
      switch (now.where()) {
        case BEFORE_THE_SERVER -> {
          end(server);
          now.beforeCut().run();
        }
        case BEFORE_THE_CLIENT -> {
          out.write(bytes, 0, n);
          now.beforeCut().run();
        }
        case AND_DELIVER_LATE -> {
          now.beforeCut().run();
          end(client);
          cut.countDown();
          delivery.await();
          out.write(bytes, 0, n);
          // The server answers, into the void, once it is through with the word.
          server.shutdownOutput();
          server.getInputStream().transferTo(OutputStream.nullOutputStream());
        }
      }
      end(client);
      cut.countDown();
    }

    void down() {
      byte[] bytes = new byte[CHUNK];
      try {
        InputStream in = server.getInputStream();
        OutputStream out = client.getOutputStream();
        for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
          if (silenced) {
            return;
          }
          out.write(bytes, 0, n);
        }
      } catch (IOException e) {
        // One side is gone: so is the other.
      } finally {
        if (!silenced) {
          hangUp();
        }
      }
    }

    private void hangUp() {
      end(client);
      end(server);
      open.remove(client);
      open.remove(server);
    }
  }
}
