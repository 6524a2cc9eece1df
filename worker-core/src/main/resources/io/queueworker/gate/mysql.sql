-- The idempotency gate's table on MariaDB and MySQL: one row for each effect.
-- The scope is bytes, since every collation that both know takes "a" and "a " for the same.
CREATE TABLE IF NOT EXISTS queueworker_gate (
  scope          varbinary(600)   NOT NULL, -- the queue's name unless set, in UTF-8
  key_hash       binary(32)       NOT NULL, -- SHA-256 of the key in UTF-8
  key_text       varchar(500)     NOT NULL, -- the key for people, shortened
  state          varchar(10)      NOT NULL CHECK (state IN ('started', 'completed')),
  attempt        integer          NOT NULL, -- 1, or more when an attempt was committed unfinished
  worker         varchar(200)     NOT NULL,
  message_id     varchar(200)     NOT NULL,
  receive_count  integer          NOT NULL,
  started_at     datetime(6)      NOT NULL, -- this database's clock, UTC
  completed_at   datetime(6),               -- the same
  duration_ms    bigint,
  suppressed     bigint DEFAULT 0 NOT NULL, -- redeliveries recognised
  lease          varchar(20), -- how the message's lease stood at the completion: held, or how it ended
  visibility_ms  integer, -- the visibility timeout that it relied on
  lease_left_ms  integer, -- how long it was held from then on
  version        smallint DEFAULT 2 NOT NULL, -- of this layout
  PRIMARY KEY (scope, key_hash)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
