-- Checkpoints that programs made by themselves, before a change of many assets.
ALTER TABLE checkpoint ADD COLUMN automatic INTEGER NOT NULL DEFAULT 0;
