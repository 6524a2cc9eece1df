package io.queueworker.testkit.endpoint;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Map;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * One HTTP request and the ways to end it. One method that ends it is called, once. Not thread-safe: belongs to the thread
 * that serves the call.
 */
final class HttpCall {

  private final Request request;
  private final Response response;
  private final Callback callback;

  HttpCall(Request request, Response response, Callback callback) {
    this.request = request;
    this.response = response;
    this.callback = callback;
  }

  /** What the request asks for, as the header {@code X-Amz-Target} says; empty without it. */
  String target() {
    String target = request.getHeaders().get("X-Amz-Target");
    return target == null ? "" : target;
  }

  /**
   * The request's body. Blocks until all of it is here.
   *
   * @throws IOException when the client went away before
   */
  byte[] body() throws IOException {
    ByteBuffer all = Content.Source.asByteBuffer(request);
    byte[] bytes = new byte[all.remaining()];
    all.get(bytes);
    return bytes;
  }

  /** Answers. A client that has gone does not hear it, and nobody else does. */
  void answer(int status, Map<String, String> headers, byte[] body) {
    head(status, headers, body.length);
    response.write(true, ByteBuffer.wrap(body), callback);
  }

  /** Sends the head and all of the body but its last byte, and leaves the connection open. */
  void answerUnfinished(int status, Map<String, String> headers, byte[] body) {
    head(status, headers, body.length);
    response.write(false, ByteBuffer.wrap(body, 0, Math.max(0, body.length - 1)), Callback.NOOP);
  }

  private void head(int status, Map<String, String> headers, int length) {
    response.setStatus(status);
    headers.forEach((name, value) -> response.getHeaders().put(name, value));
    response.getHeaders().put("Content-Length", Integer.toString(length));
  }

  /** Ends the connection with a TCP reset. */
  void reset() {
    EndPoint connection = request.getConnectionMetaData().getConnection().getEndPoint();
    EofException why = new EofException("reset by the script");
    if (connection.getTransport() instanceof SocketChannel channel) {
      try {
        // Lingering for no time makes close() send a reset in place of an orderly end.
        channel.setOption(StandardSocketOptions.SO_LINGER, 0);
      } catch (IOException alreadyClosed) {
        // Nobody is there to be reset.
      }
    }
    connection.close(why);
    callback.failed(why);
  }
}
