-- Whether every asset whose versions are kept has a version that says so if it changed in the gap (see `store::past::stopped`).
-- In a gap of an earlier program none has.
ALTER TABLE past_gap ADD COLUMN marked INTEGER NOT NULL DEFAULT 0;
