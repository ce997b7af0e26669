-- Scores of tags, websites and workstream summaries; persons, anchors and hints, and what they are linked to.

-- A counter that never moved is NULL.
ALTER TABLE item ADD COLUMN score_priority INTEGER;
ALTER TABLE item ADD COLUMN score_reuse INTEGER;
ALTER TABLE item ADD COLUMN score_update INTEGER;
ALTER TABLE item ADD COLUMN score_reference INTEGER;
ALTER TABLE item ADD COLUMN score_searched INTEGER;

-- Persons, anchors and hints. One that was deleted keeps its row alone, so that its id is known as one of ours.
CREATE TABLE aside (
  row INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('person', 'anchor', 'hint')),
  id TEXT NOT NULL,
  created INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  deleted INTEGER,
  document TEXT NOT NULL,
  UNIQUE (kind, id)
) STRICT;

-- The document holds what is said of this one link, such as what a person may do with the asset.
CREATE TABLE aside_link (
  asset INTEGER NOT NULL REFERENCES asset (row) ON DELETE CASCADE,
  aside INTEGER NOT NULL REFERENCES aside (row) ON DELETE CASCADE,
  mechanism TEXT NOT NULL,
  document TEXT NOT NULL DEFAULT '{}',
  PRIMARY KEY (asset, aside)
) STRICT, WITHOUT ROWID;
CREATE INDEX aside_link_by_aside ON aside_link (aside, asset);
