/** One delivery from admission to settlement, on a virtual thread of its own. */
@NullMarked
package io.queueworker.handle;

import org.jspecify.annotations.NullMarked;
