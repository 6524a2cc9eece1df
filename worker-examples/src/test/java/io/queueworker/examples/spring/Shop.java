package io.queueworker.examples.spring;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.EnableTransactionManagement;

/** A Spring application that stores orders; which transactions it has is for another configuration to say. */
@Configuration(proxyBeanMethods = false)
@EnableTransactionManagement
@Import({Orders.class, Audits.class, OwnRunner.class})
class Shop {
  private static final AtomicInteger NUMBER = new AtomicInteger();

  @Bean(destroyMethod = "close")
  HikariDataSource dataSource() {
    JdbcDataSource h2 = new JdbcDataSource();
    h2.setURL("jdbc:h2:mem:shop" + NUMBER.incrementAndGet() + ";DB_CLOSE_DELAY=-1");
    HikariConfig config = new HikariConfig();
    config.setDataSource(h2);
    config.setMaximumPoolSize(4);
    config.setConnectionTimeout(5_000);
    HikariDataSource pool = new HikariDataSource(config);
    JdbcTemplate jdbc = new JdbcTemplate(pool);
    jdbc.execute("CREATE TABLE orders (id varchar(50) NOT NULL, items integer NOT NULL)");
    jdbc.execute("CREATE TABLE audits (id varchar(50) NOT NULL)");
    jdbc.execute("CREATE TABLE parcels (id varchar(50) PRIMARY KEY, weight integer NOT NULL)");
    return pool;
  }

  @Bean
  JdbcTemplate jdbcTemplate(DataSource dataSource) {
    return new JdbcTemplate(dataSource);
  }
}
