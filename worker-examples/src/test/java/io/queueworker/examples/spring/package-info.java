/** Handlers inside Spring's transactions. The tests are the only part of the project that knows Spring. */
@NullMarked
package io.queueworker.examples.spring;

import org.jspecify.annotations.NullMarked;
