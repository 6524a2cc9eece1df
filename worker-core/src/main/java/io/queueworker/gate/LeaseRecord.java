package io.queueworker.gate;

import io.queueworker.gate.Admission.Completion;
import java.time.Duration;

/**
 * A leased gate's record of one key as it was read.
 *
 * <p>Immutable.
 *
 * @param completed whether its effect happened
 * @param expired whether its attempt's time has run out, by the store's clock
 * @param owner the token of the attempt that wrote it
 * @param sinceFirst how long ago the first attempt that may have had an effect began
 * @param by that attempt
 */
record LeaseRecord(boolean completed, boolean expired, String owner, Duration sinceFirst, Completion by) {}
