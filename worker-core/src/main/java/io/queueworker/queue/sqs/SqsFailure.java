package io.queueworker.queue.sqs;

import io.queueworker.queue.EntryResult;
import io.queueworker.queue.QueueException;
import io.queueworker.queue.Receipt;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;
import software.amazon.awssdk.services.sqs.model.SqsException;

/**
 * One failed call or entry, classified by the service's code and its words.
 *
 * <p>The class of the SDK's exception is no guide: most failures that matter here arrive as a plain {@code
 * SqsException} with code {@code InvalidParameterValue}, and the same failure has one code in a single call and another
 * in a batch (docs/queue-facts.md A1). Immutable, so thread-safe.
 *
 * @param meaning what it means for the caller
 * @param code the service's code without its prefixes; empty when the service did not answer
 * @param text what happened, in words, without receipt handles
 */
record SqsFailure(Meaning meaning, String code, String text) {

  /** What a failure means for the caller. */
  enum Meaning {
    /** The receipt handle is no longer good, or the total cap is reached. */
    LOST,
    /** The message no longer exists. */
    GONE,
    /** A policy does not allow the action. */
    DENIED,
    /** The policy of the queue's KMS key does not allow to decrypt. */
    KEY_DENIED,
    /** The credentials are missing, expired or wrong. */
    CREDENTIALS,
    /** The service asks for fewer calls. */
    THROTTLED,
    /** Too many messages are in flight. */
    OVER_LIMIT,
    /** The queue does not exist. */
    MISSING,
    /** Everything else: unreachable, timed out, the service's own error, and codes that nobody listed. */
    UNAVAILABLE
  }

  private static final int LONGEST_TEXT = 400;
  private static final String HIDDEN = "[hidden]";
  private static final Comparator<String> LONGEST_FIRST = Comparator.comparingInt(String::length).reversed();

  /** What the SDK says when it has no credentials to sign with; its exceptions' classes are those of any failure. */
  private static final List<String> CREDENTIAL_WORDS =
      List.of("load credentials", "token is expired", "sso session", "sso token", "aws sso login");

  /** The places where the service quotes a receipt handle in its words. */
  private static final Pattern QUOTED_HANDLE =
      Pattern.compile(
          "(?<=Value ).*(?= for parameter ReceiptHandle)|(?<=receipt handle \")[^\"]*(?=\")", Pattern.CASE_INSENSITIVE);

  /**
   * Classifies a call that failed as a whole.
   *
   * @param receipts what the call carried, to be hidden where the words quote it
   */
  static SqsFailure of(RuntimeException thrown, List<Receipt> receipts) {
    if (thrown instanceof AwsServiceException answered) {
      AwsErrorDetails details = answered.awsErrorDetails();
      String code = details == null ? "" : bare(details.errorCode());
      String said = details == null || details.errorMessage() == null ? words(thrown) : details.errorMessage();
      String text = scrubbed(said, receipts) + " (HTTP " + answered.statusCode() + ")";
      if (answered.isThrottlingException()) {
        return new SqsFailure(Meaning.THROTTLED, code, text);
      }
      if (!(thrown instanceof SqsException) && answered.statusCode() < 500) {
        // Another service was asked on the way, and that is only ever done to get credentials.
        return new SqsFailure(Meaning.CREDENTIALS, code, "the service that issues credentials refused");
      }
      return answered(code, text);
    }
    if (thrown instanceof ApiCallTimeoutException || thrown instanceof ApiCallAttemptTimeoutException) {
      return unavailable("no answer in time; the call may have had its effect");
    }
    if (thrown instanceof AbortedException) {
      return unavailable("the calling thread was interrupted; the call may have had its effect");
    }
    String text = scrubbed(words(thrown), receipts);
    String lower = text.toLowerCase(Locale.ROOT);
    if (CREDENTIAL_WORDS.stream().anyMatch(lower::contains)) {
      return new SqsFailure(Meaning.CREDENTIALS, "", text);
    }
    if (lower.contains("md5")) {
      return unavailable(
          "the checksum of a message does not match its content, so the SDK dropped the whole answer; its messages"
              + " come back after their visibility timeout. If it stays so, look for a proxy that changes answers, or"
              + " pass a client with checksumValidationEnabled(false). "
              + text);
    }
    if (isWithoutConnection(thrown, lower)) {
      return unavailable(
          "the client has no free connection; raise its maxConnections or give deletes and extensions a client of"
              + " their own. "
              + text);
    }
    return unavailable(text);
  }

  /** Classifies one entry that failed in a batch call that was answered. */
  static SqsFailure of(BatchResultErrorEntry entry, List<Receipt> receipts) {
    String said = entry.message() == null ? "no reason given" : entry.message();
    return answered(bare(entry.code()), scrubbed(said, receipts));
  }

  /** What this failure is for one entry of a batch, when {@code permission} is what its call needs. */
  EntryResult toResult(SqsUrl queue, String permission) {
    String start = start(queue, permission);
    return switch (meaning) {
      case LOST -> new EntryResult.Lost(start + described());
      case GONE -> new EntryResult.Gone();
      case DENIED, CREDENTIALS -> new EntryResult.Denied(permission);
      case KEY_DENIED -> new EntryResult.Denied("kms:Decrypt");
      case THROTTLED -> new EntryResult.Retryable(start + "throttled by the service, " + described());
      case MISSING -> new EntryResult.Retryable(start + "the queue does not exist, " + described());
      // A sender fault that nobody listed is in here too. Calling it lost could drop a lease that is held; the local
      // deadline ends the retries in any case.
      case OVER_LIMIT, UNAVAILABLE -> new EntryResult.Retryable(start + described());
    };
  }

  /** What this failure is for a receive or an attribute read, when {@code permission} is what its call needs. */
  QueueException toException(SqsUrl queue, String permission, RuntimeException thrown) {
    String start = start(queue, permission);
    return switch (meaning) {
      case DENIED ->
          QueueException.denied(
              permission,
              start + described() + ". Grant " + permission + " on this queue to the worker's role or user.",
              thrown);
      case KEY_DENIED ->
          QueueException.denied(
              "kms:Decrypt",
              start + described() + ". Grant kms:Decrypt on the queue's KMS key to the worker's role or user.",
              thrown);
      case CREDENTIALS -> QueueException.denied(permission, start + credentialsRemedy(), withoutSecrets(thrown));
      case THROTTLED ->
          failure(QueueException.Kind.THROTTLED, start + described() + ". Call less often.", thrown);
      case OVER_LIMIT ->
          failure(
              QueueException.Kind.OVER_LIMIT,
              start + described() + ". Too many messages are in flight on this queue; delete or release some first.",
              thrown);
      case MISSING ->
          failure(
              QueueException.Kind.MISSING,
              start + described() + ". Create the queue, or correct account, region and name in " + queue.text() + ".",
              thrown);
      case LOST, GONE, UNAVAILABLE -> failure(QueueException.Kind.UNAVAILABLE, start + described(), thrown);
    };
  }

  /** What a person does about refused credentials. */
  String credentialsRemedy() {
    return "the credentials were refused or are missing ("
        + described()
        + "). Renew or correct the credentials of this process, and check that its clock is right.";
  }

  private static String start(SqsUrl queue, String permission) {
    return "queue=" + queue.name() + " " + permission + " failed: ";
  }

  private static QueueException failure(QueueException.Kind kind, String message, RuntimeException thrown) {
    return QueueException.of(kind, message, thrown);
  }

  /** The cause to keep: a refused signature is answered with the signed request, session token included. */
  private static @Nullable RuntimeException withoutSecrets(RuntimeException thrown) {
    return thrown instanceof AwsServiceException ? null : thrown;
  }

  private String described() {
    return code.isEmpty() ? text : code + ": " + text;
  }

  private static SqsFailure unavailable(String text) {
    return new SqsFailure(Meaning.UNAVAILABLE, "", text);
  }

  /** Classifies an answer by its code, and by its words where the code says too little. */
  private static SqsFailure answered(String code, String text) {
    return switch (code) {
      case "AccessDenied", "AccessDeniedException", "NotAuthorized" ->
          new SqsFailure(text.contains("kms:") ? Meaning.KEY_DENIED : Meaning.DENIED, code, text);
      case "KMS.AccessDenied", "KMS.AccessDeniedException", "KmsAccessDenied" ->
          new SqsFailure(Meaning.KEY_DENIED, code, text);
      case "ExpiredToken",
          "ExpiredTokenException",
          "IncompleteSignature",
          "InvalidAccessKeyId",
          "InvalidClientTokenId",
          "InvalidSecurity",
          "InvalidSignatureException",
          "MissingAuthenticationToken",
          "MissingAuthenticationTokenException",
          "RequestExpired",
          "SignatureDoesNotMatch",
          "UnrecognizedClientException" ->
          new SqsFailure(Meaning.CREDENTIALS, code, "the words of the service are left out, they can quote a token");
      case "RequestThrottled",
          "Throttling",
          "ThrottlingException",
          "ThrottledException",
          "TooManyRequests",
          "TooManyRequestsException",
          "KMS.ThrottlingException",
          "KmsThrottled" ->
          new SqsFailure(Meaning.THROTTLED, code, text);
      case "OverLimit" -> new SqsFailure(Meaning.OVER_LIMIT, code, text);
      case "NonExistentQueue", "QueueDoesNotExist", "InvalidAddress" ->
          new SqsFailure(Meaning.MISSING, code, text);
      case "KMS.DisabledException",
          "KMS.InvalidStateException",
          "KMS.NotFoundException",
          "KMS.OptInRequired",
          "KMS.InvalidKeyUsageException",
          "KmsDisabled",
          "KmsInvalidState",
          "KmsNotFound",
          "KmsOptInRequired",
          "KmsInvalidKeyUsage" ->
          new SqsFailure(Meaning.UNAVAILABLE, code, text + ". Check the KMS key of the queue: it cannot be used now");
      default -> new SqsFailure(meaningOfWords(code, text), code, text);
    };
  }

  /** Tells apart what shares the code {@code InvalidParameterValue}; the words also decide under unlisted codes. */
  private static Meaning meaningOfWords(String code, String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    if (lower.contains("message does not exist or is not available")) {
      return Meaning.GONE;
    }
    boolean handle =
        code.startsWith("ReceiptHandleIsInvalid")
            || code.startsWith("MessageNotInflight")
            || code.startsWith("InvalidIdFormat")
            || lower.contains("receipt handle has expired")
            || lower.contains("for parameter receipthandle is invalid")
            || lower.contains("not a valid receipt handle");
    boolean cap = lower.contains("visibilitytimeout") && lower.contains("beyond the limit");
    return handle || cap ? Meaning.LOST : Meaning.UNAVAILABLE;
  }

  /** The code without the prefixes that depend on protocol and emulator. */
  private static String bare(@Nullable String code) {
    if (code == null) {
      return "";
    }
    String shape = code.substring(code.lastIndexOf('#') + 1);
    String prefix = "AWS.SimpleQueueService.";
    return shape.startsWith(prefix) ? shape.substring(prefix.length()) : shape;
  }

  /** Whether the client's pool had no connection in time. Apache 5 tells it by the class of the cause, others in words. */
  private static boolean isWithoutConnection(Throwable thrown, String words) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause.getClass().getSimpleName().equals("ConnectionRequestTimeoutException")) {
        return true;
      }
    }
    return words.contains("connection from pool") || words.contains("acquire operation");
  }

  private static String words(RuntimeException thrown) {
    String message = thrown.getMessage();
    return message == null ? thrown.getClass().getSimpleName() : message;
  }

  /** The words without receipt handles and line breaks, and of bounded length. */
  private static String scrubbed(String said, List<Receipt> receipts) {
    String text = said;
    // The longest first: one that is the start of another would leave the rest of it readable.
    for (String handle : receipts.stream().map(Receipt::value).sorted(LONGEST_FIRST).toList()) {
      text = handle.isBlank() ? text : text.replace(handle, HIDDEN);
    }
    text = QUOTED_HANDLE.matcher(text).replaceAll(HIDDEN).replaceAll("\\p{Cntrl}+", " ").strip();
    return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT) + "…";
  }
}
