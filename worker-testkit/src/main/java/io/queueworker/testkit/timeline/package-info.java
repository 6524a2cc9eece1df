/** What happened to messages, drawn: time lines of workers, and the figures behind a visibility timeout. */
@NullMarked
package io.queueworker.testkit.timeline;

import org.jspecify.annotations.NullMarked;
