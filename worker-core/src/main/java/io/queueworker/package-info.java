/** Queue consumers that neither lose work nor do it twice. */
@NullMarked
package io.queueworker;

import org.jspecify.annotations.NullMarked;
