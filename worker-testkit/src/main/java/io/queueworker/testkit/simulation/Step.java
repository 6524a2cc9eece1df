package io.queueworker.testkit.simulation;

import java.time.Duration;

/**
 * One change of the running thread.
 *
 * @param thread the name of the thread that runs from here on
 * @param at virtual time since the start of the simulation
 */
public record Step(String thread, Duration at) {}
