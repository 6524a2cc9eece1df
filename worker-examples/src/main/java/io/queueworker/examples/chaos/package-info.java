/** Workers in processes of their own, which are killed and frozen until the work is done, and the audit of what is left. */
@NullMarked
package io.queueworker.examples.chaos;

import org.jspecify.annotations.NullMarked;
