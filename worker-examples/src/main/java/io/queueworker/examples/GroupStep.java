package io.queueworker.examples;

/**
 * One message of the FIFO examples: what a group has to do at this place of its order.
 *
 * @param group the message group
 * @param number its place in the group, from 0
 */
record GroupStep(String group, int number) {

  /** Reads what {@link #toBody} wrote. */
  static GroupStep of(String body) {
    int slash = body.lastIndexOf('/');
    return new GroupStep(body.substring(0, slash), Integer.parseInt(body.substring(slash + 1)));
  }

  /** The message's body. */
  String toBody() {
    return group + "/" + number;
  }
}
