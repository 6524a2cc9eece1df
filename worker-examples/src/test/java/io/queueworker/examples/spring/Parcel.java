package io.queueworker.examples.spring;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** What JPA stores. For the persistence context that it is in. */
@Entity
@Table(name = "parcels")
class Parcel {

  @Id private String id;

  private int weight;

  /** For JPA. */
  protected Parcel() {}

  Parcel(String id, int weight) {
    this.id = id;
    this.weight = weight;
  }

  String id() {
    return id;
  }

  int weight() {
    return weight;
  }
}
