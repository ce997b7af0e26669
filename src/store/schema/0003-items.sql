-- Scores of tags, websites and workstream summaries; persons, anchors and hints, and what they are linked to.

-- A counter that never moved is NULL.
ALTER TABLE item ADD COLUMN score_priority INTEGER;
ALTER TABLE item ADD COLUMN score_reuse INTEGER;
ALTER TABLE item ADD COLUMN score_update INTEGER;
ALTER TABLE item ADD COLUMN score_reference INTEGER;
ALTER TABLE item ADD COLUMN score_searched INTEGER;
