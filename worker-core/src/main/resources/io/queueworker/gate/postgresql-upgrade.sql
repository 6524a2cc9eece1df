-- Brings the idempotency gate's table of an earlier version up to layout 2, on PostgreSQL. Changes nothing in one that is.
-- Workers of the earlier version go on while it runs: it only adds columns that have defaults or may be null.
ALTER TABLE queueworker_gate
  ADD COLUMN IF NOT EXISTS completed_at  timestamp with time zone,
  ADD COLUMN IF NOT EXISTS duration_ms   bigint,
  ADD COLUMN IF NOT EXISTS suppressed    bigint DEFAULT 0 NOT NULL,
  ADD COLUMN IF NOT EXISTS lease         varchar(20),
  ADD COLUMN IF NOT EXISTS visibility_ms integer,
  ADD COLUMN IF NOT EXISTS lease_left_ms integer,
  ADD COLUMN IF NOT EXISTS version       smallint DEFAULT 1 NOT NULL,
  ALTER COLUMN version SET DEFAULT 2
