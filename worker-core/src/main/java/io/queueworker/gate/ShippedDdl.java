package io.queueworker.gate;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The statements that worker-core ships as resources. Stateless. */
final class ShippedDdl {

  private ShippedDdl() {}

  /** The statement of a resource, for a table of this name. */
  static String of(String resource, TableName table) {
    return of(resource, TableName.DEFAULT, table);
  }

  /** The same where the resource names its table so. */
  static String of(String resource, TableName shippedName, TableName table) {
    try (InputStream in = ShippedDdl.class.getClassLoader().getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException(
            "the resource " + resource + " is not on the class path; it is part of the worker-core jar");
      }
      String shipped = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return shipped.replace(shippedName.text(), table.text());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
