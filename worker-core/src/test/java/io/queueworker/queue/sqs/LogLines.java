package io.queueworker.queue.sqs;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** What one class logs while this is open. */
final class LogLines implements AutoCloseable {

  private final Logger logger;
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

  private LogLines(Logger logger) {
    this.logger = logger;
  }

  static LogLines of(Class<?> type) {
    LogLines lines = new LogLines((Logger) LoggerFactory.getLogger(type));
    lines.lines.start();
    lines.logger.addAppender(lines.lines);
    return lines;
  }

  List<String> messages() {
    return List.copyOf(lines.list).stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  @Override
  public void close() {
    logger.detachAppender(lines);
  }
}
