package io.queueworker.queue.sqs;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import software.amazon.awssdk.regions.Region;

/**
 * The URL of a queue, checked, with what it says about the queue. Immutable, so thread-safe.
 *
 * @param text the URL as it goes into each request
 * @param name the queue's name, the last segment of the path
 * @param region the region that the host names, when it is one of AWS or LocalStack
 * @param endpoint where to send requests, when the region's standard endpoint is not the place: an emulator, a VPC
 *     endpoint, dual-stack
 */
record SqsUrl(String text, String name, Optional<Region> region, Optional<URI> endpoint) {

  private static final String ALLOWED =
      "Allowed is an http or https URL that ends in the queue's name (letters, digits, '-' and '_', at most 80 with"
          + " the suffix .fifo), such as https://sqs.eu-west-1.amazonaws.com/123456789012/orders."
          + " The console and GetQueueUrl show it.";

  private static final Pattern NAME = Pattern.compile("(?=.{1,80}$)[A-Za-z0-9_-]+(\\.fifo)?");
  private static final String REGION = "([a-z]+(?:-[a-z]+)+-\\d+)";
  private static final String AWS = "\\.(?:amazonaws\\.com|amazonaws\\.com\\.cn|amazonaws\\.eu)";
  private static final Pattern STANDARD_HOST = Pattern.compile("sqs\\." + REGION + AWS);
  private static final Pattern LEGACY_HOST =
      Pattern.compile("(?:" + REGION + "\\.queue\\.amazonaws\\.com(?:\\.cn)?|queue\\.amazonaws\\.com)");

  /** VPC endpoints, FIPS, dual-stack, which the SDK would replace by the address without IPv6, and LocalStack. */
  private static final Pattern SPECIAL_HOST =
      Pattern.compile(
          "(?:.+\\.)?sqs(?:-fips)?\\." + REGION + "(?:(?:\\.vpce)?" + AWS
              + "|\\.api\\.aws|\\.localhost\\.localstack\\.cloud)");

  /**
   * Reads a queue's URL.
   *
   * @throws IllegalArgumentException when it is not one; the message says what is allowed
   */
  static SqsUrl of(String text) {
    URI uri;
    try {
      uri = new URI(text);
    } catch (URISyntaxException notAUrl) {
      throw refused(text);
    }
    String scheme = uri.getScheme();
    String host = uri.getHost() == null ? null : uri.getHost().toLowerCase(Locale.ROOT);
    String path = uri.getPath();
    if (!("http".equalsIgnoreCase(scheme) || "https".equalsIgnoreCase(scheme))
        || host == null
        || path == null
        || uri.getRawUserInfo() != null
        || uri.getRawQuery() != null
        || uri.getRawFragment() != null) {
      throw refused(text);
    }
    String name = path.substring(path.lastIndexOf('/') + 1);
    if (!NAME.matcher(name).matches()) {
      throw refused(text);
    }
    Matcher standard = STANDARD_HOST.matcher(host);
    if (standard.matches()) {
      return new SqsUrl(text, name, Optional.of(Region.of(standard.group(1))), Optional.empty());
    }
    Matcher legacy = LEGACY_HOST.matcher(host);
    if (legacy.matches()) {
      Region region = legacy.group(1) == null ? Region.US_EAST_1 : Region.of(legacy.group(1));
      return new SqsUrl(text, name, Optional.of(region), Optional.empty());
    }
    Matcher special = SPECIAL_HOST.matcher(host);
    Optional<Region> region = special.matches() ? Optional.of(Region.of(special.group(1))) : Optional.empty();
    return new SqsUrl(text, name, region, Optional.of(URI.create(scheme + "://" + uri.getRawAuthority())));
  }

  /** Whether the queue keeps order inside message groups; the service reserves the suffix for such queues. */
  boolean fifo() {
    return name.endsWith(".fifo");
  }

  /** The URL of another queue of the same account at the same endpoint. */
  SqsUrl sibling(String otherName) {
    return of(text.substring(0, text.lastIndexOf('/') + 1) + otherName);
  }

  /** The refusal of a text; one that could carry a password, as {@code user:password@host} does, is not repeated. */
  private static IllegalArgumentException refused(String text) {
    String shown = text.indexOf('@') >= 0 ? "(not shown: it contains '@')" : "'" + text + "'";
    String hint = text.startsWith("arn:") ? " This is an ARN, not a URL." : "";
    return new IllegalArgumentException("Not the URL of an SQS queue: " + shown + "." + hint + " " + ALLOWED);
  }
}
