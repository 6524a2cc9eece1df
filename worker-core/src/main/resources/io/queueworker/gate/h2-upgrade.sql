-- Brings the idempotency gate's table of an earlier version up to layout 2, on H2. Changes nothing in one that is.
ALTER TABLE queueworker_gate ADD COLUMN IF NOT EXISTS completed_at  timestamp(6) with time zone;
ALTER TABLE queueworker_gate ADD COLUMN IF NOT EXISTS duration_ms   bigint;
ALTER TABLE queueworker_gate ADD COLUMN IF NOT EXISTS suppressed    bigint DEFAULT 0 NOT NULL;
ALTER TABLE queueworker_gate ADD COLUMN IF NOT EXISTS lease         varchar(20);
ALTER TABLE queueworker_gate ADD COLUMN IF NOT EXISTS visibility_ms integer;
ALTER TABLE queueworker_gate ADD COLUMN IF NOT EXISTS lease_left_ms integer;
ALTER TABLE queueworker_gate ADD COLUMN IF NOT EXISTS version       smallint DEFAULT 1 NOT NULL;
ALTER TABLE queueworker_gate ALTER COLUMN version SET DEFAULT 2
