-- Brings the leased gate's table of an earlier version up to layout 2, on MariaDB. Changes nothing in one that is.
-- MySQL does not know IF NOT EXISTS here: leave it out there, and the columns that the table has.
-- Workers of the earlier version go on while it runs: it only adds columns that have defaults or may be null.
ALTER TABLE queueworker_leased_gate
  ADD COLUMN IF NOT EXISTS lease         varchar(20),
  ADD COLUMN IF NOT EXISTS visibility_ms integer,
  ADD COLUMN IF NOT EXISTS lease_left_ms integer,
  ALTER COLUMN version SET DEFAULT 2
