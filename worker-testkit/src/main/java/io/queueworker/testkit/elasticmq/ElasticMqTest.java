package io.queueworker.testkit.elasticmq;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test class whose methods may take a {@link TestQueue} and the {@link ElasticMq} server as parameters. Tagged {@code
 * elasticmq}.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Tag("elasticmq")
@ExtendWith(ElasticMqExtension.class)
public @interface ElasticMqTest {}
