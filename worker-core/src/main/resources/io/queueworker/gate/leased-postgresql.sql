-- The leased gate's table on PostgreSQL: one row for each effect.
-- No index besides the primary key: a renewal then stays within its page, and a purge walks the primary key.
CREATE TABLE IF NOT EXISTS queueworker_leased_gate (
  scope            varchar(200) COLLATE "C" NOT NULL, -- the queue's name unless set
  key_hash         bytea                    NOT NULL, -- SHA-256 of the key in UTF-8
  key_text         varchar(500)             NOT NULL, -- the key for people, shortened
  state            varchar(10)              NOT NULL CHECK (state IN ('started', 'completed')),
  owner            varchar(36)              NOT NULL, -- the attempt's token
  fence            bigint GENERATED ALWAYS AS IDENTITY NOT NULL, -- a new one for each attempt; never goes back
  worker           varchar(200)             NOT NULL,
  message_id       varchar(200)             NOT NULL,
  receive_count    integer                  NOT NULL,
  first_started_at timestamp with time zone NOT NULL, -- the first attempt that may have had an effect
  started_at       timestamp with time zone NOT NULL, -- this attempt, by this database's clock
  expires_at       timestamp with time zone NOT NULL, -- from then on another attempt may take over
  completed_at     timestamp with time zone,
  duration_ms      bigint,
  suppressed       bigint                   DEFAULT 0 NOT NULL, -- redeliveries recognised
  lease            varchar(20), -- how the message's lease stood at the completion: held, or how it ended
  visibility_ms    integer, -- the visibility timeout that it relied on
  lease_left_ms    integer, -- how long it was held from then on
  version          smallint                 DEFAULT 2 NOT NULL, -- of this layout
  PRIMARY KEY (scope, key_hash)
)
