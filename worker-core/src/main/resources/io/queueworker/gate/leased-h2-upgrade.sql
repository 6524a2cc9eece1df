-- Brings the leased gate's table of an earlier version up to layout 2, on H2. Changes nothing in one that is.
ALTER TABLE queueworker_leased_gate ADD COLUMN IF NOT EXISTS lease         varchar(20);
ALTER TABLE queueworker_leased_gate ADD COLUMN IF NOT EXISTS visibility_ms integer;
ALTER TABLE queueworker_leased_gate ADD COLUMN IF NOT EXISTS lease_left_ms integer;
ALTER TABLE queueworker_leased_gate ALTER COLUMN version SET DEFAULT 2
