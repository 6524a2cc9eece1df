package io.queueworker.testkit.simulation;

import java.util.Map;

/**
 * A message on a simulated queue, as it is now. Immutable.
 *
 * @param id the service's message id
 * @param body the text as sent
 * @param attributes the sender's attributes
 * @param receiveCount how often it has been received
 */
public record SimulatedMessage(String id, String body, Map<String, String> attributes, int receiveCount) {}
