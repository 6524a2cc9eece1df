package io.queueworker.queue.sqs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.regions.Region;

/** Queue URLs: what is taken, what they say, and what is refused in which words. */
class SqsUrlTest {

  @ParameterizedTest
  @CsvSource({
    "https://sqs.eu-west-1.amazonaws.com/123456789012/orders,eu-west-1",
    "https://sqs.us-gov-west-1.amazonaws.com/123456789012/orders,us-gov-west-1",
    "https://sqs.cn-north-1.amazonaws.com.cn/123456789012/orders,cn-north-1",
    "https://sqs.eusc-de-east-1.amazonaws.eu/123456789012/orders,eusc-de-east-1",
    "https://SQS.EU-West-1.AmazonAWS.com/123456789012/orders,eu-west-1",
    "https://cn-north-1.queue.amazonaws.com.cn/123456789012/orders,cn-north-1",
    "https://eu-west-1.queue.amazonaws.com/123456789012/orders,eu-west-1",
    "https://queue.amazonaws.com/123456789012/orders,us-east-1"
  })
  void a_host_of_aws_names_the_region_and_leaves_the_endpoint_to_the_sdk(String text, String region) {
    SqsUrl url = SqsUrl.of(text);

    assertThat(url.region()).contains(Region.of(region));
    assertThat(url.endpoint()).isEmpty();
    assertThat(url.name()).isEqualTo("orders");
    assertThat(url.text()).isEqualTo(text);
    assertThat(url.fifo()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "https://vpce-0a1b-2c3d.sqs.eu-west-1.vpce.amazonaws.com",
    "https://sqs-fips.eu-west-1.amazonaws.com",
    "https://sqs.eu-west-1.api.aws",
    "https://sqs-fips.eu-west-1.api.aws",
    "http://sqs.eu-west-1.localhost.localstack.cloud:4566"
  })
  void a_special_host_names_the_region_and_is_the_endpoint(String host) {
    SqsUrl url = SqsUrl.of(host + "/123456789012/orders");

    assertThat(url.region()).contains(Region.EU_WEST_1);
    assertThat(url.endpoint()).contains(URI.create(host));
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "http://localhost:9324",
    "http://127.0.0.1:9324",
    "http://[::1]:9324",
    "https://sqs.eu-west-1.amazonaws.com.example.org",
    "https://queue.amazonaws.com.cn",
    "https://localhost.localstack.cloud:4566"
  })
  void another_host_is_the_endpoint_and_names_no_region(String host) {
    SqsUrl url = SqsUrl.of(host + "/000000000000/orders.fifo");

    assertThat(url.region()).isEmpty();
    assertThat(url.endpoint()).contains(URI.create(host));
    assertThat(url.name()).isEqualTo("orders.fifo");
    assertThat(url.fifo()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "",
    "orders",
    "arn:aws:sqs:eu-west-1:123456789012:orders",
    "sqs.eu-west-1.amazonaws.com/123456789012/orders",
    "ftp://sqs.eu-west-1.amazonaws.com/123456789012/orders",
    "https:///123456789012/orders",
    "https://sqs.eu-west-1.amazonaws.com",
    "https://sqs.eu-west-1.amazonaws.com/",
    "https://sqs.eu-west-1.amazonaws.com/123456789012/",
    "https://sqs.eu-west-1.amazonaws.com/123456789012/or ders",
    "https://sqs.eu-west-1.amazonaws.com/123456789012/orders?x=1",
    "https://sqs.eu-west-1.amazonaws.com/123456789012/orders#x",
    "https://sqs.eu-west-1.amazonaws.com/123456789012/orders.txt",
    "https://sqs.eu-west-1.amazonaws.com/123456789012/"
        + "a23456789a23456789a23456789a23456789a23456789a23456789a23456789a23456789a23456789"
  })
  void anything_else_is_refused_with_the_value_and_what_is_allowed(String text) {
    assertThatThrownBy(() -> SqsQueue.connect(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + text + "'")
        .hasMessageContaining("Allowed is an http or https URL")
        .hasMessageContaining("https://sqs.eu-west-1.amazonaws.com/123456789012/orders");
  }

  @Test
  void an_arn_is_recognized_and_a_password_is_not_repeated() {
    assertThatThrownBy(() -> SqsUrl.of("arn:aws:sqs:eu-west-1:123456789012:orders")).hasMessageContaining("an ARN");
    assertThatThrownBy(() -> SqsUrl.of("https://me:pass@localhost/1/orders"))
        .isInstanceOf(IllegalArgumentException.class)
        .satisfies(refused -> assertThat(refused.getMessage()).doesNotContain("pass"));
  }
}
