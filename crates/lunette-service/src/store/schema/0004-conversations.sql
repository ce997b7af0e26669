-- Conversations, annotations and activities as their own operations make and change them.

-- An annotation may be about one thing, several or none. Persons and anchors are named by id.
CREATE TABLE annotation_rebuilt (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  asset INTEGER REFERENCES asset (row) ON DELETE CASCADE,
  item INTEGER REFERENCES item (row) ON DELETE CASCADE,
  conversation INTEGER REFERENCES conversation (row) ON DELETE CASCADE,
  person TEXT,
  anchor TEXT,
  kind TEXT NOT NULL,
  text TEXT NOT NULL,
  folded_text TEXT NOT NULL,
  created INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  document TEXT NOT NULL DEFAULT '{}'
) STRICT;
INSERT INTO annotation_rebuilt (row, id, asset, item, kind, text, folded_text, created, updated)
  SELECT row, id, asset, item, kind, text, folded_text, created, updated FROM annotation;
DROP TABLE annotation;
ALTER TABLE annotation_rebuilt RENAME TO annotation;
CREATE INDEX annotation_by_asset ON annotation (asset, row);
CREATE INDEX annotation_by_item ON annotation (item, row);
CREATE INDEX annotation_by_conversation ON annotation (conversation, row);
CREATE INDEX annotation_by_person ON annotation (person, row) WHERE person IS NOT NULL;
CREATE INDEX annotation_by_anchor ON annotation (anchor, row) WHERE anchor IS NOT NULL;

-- What happened, to an asset or to anything else. Where `told` is absent, the event is of the asset and made of `event`
-- and `metadata`; else it is the event as it was told. The format is named by id, which may be gone.
CREATE TABLE activity_rebuilt (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  asset INTEGER REFERENCES asset (row) ON DELETE CASCADE,
  format TEXT,
  created INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  event TEXT NOT NULL,
  told TEXT,
  mechanism TEXT NOT NULL,
  rank INTEGER NOT NULL,
  origin INTEGER NOT NULL REFERENCES origin (row),
  metadata TEXT,
  document TEXT NOT NULL DEFAULT '{}'
) STRICT;
INSERT INTO activity_rebuilt (row, id, asset, created, updated, event, mechanism, rank, origin, metadata)
  SELECT row, id, asset, created, created, event, mechanism, rank, origin, metadata FROM activity;
DROP TABLE activity;
ALTER TABLE activity_rebuilt RENAME TO activity;
CREATE INDEX activity_by_asset ON activity (asset, row);

ALTER TABLE conversation ADD COLUMN favorited INTEGER;
ALTER TABLE conversation ADD COLUMN score_priority INTEGER;
ALTER TABLE conversation ADD COLUMN score_reuse INTEGER;
ALTER TABLE conversation ADD COLUMN score_update INTEGER;
ALTER TABLE conversation ADD COLUMN score_reference INTEGER;
ALTER TABLE conversation ADD COLUMN score_searched INTEGER;
ALTER TABLE conversation ADD COLUMN document TEXT NOT NULL DEFAULT '{}';

-- A message that was never changed has no `updated`.
ALTER TABLE conversation_message ADD COLUMN updated INTEGER;
ALTER TABLE conversation_message ADD COLUMN document TEXT NOT NULL DEFAULT '{}';

-- Assets that nobody saved on purpose; their document says so.
ALTER TABLE asset ADD COLUMN pseudo INTEGER GENERATED ALWAYS AS ((document ->> '$.pseudo') IS 1) VIRTUAL;
CREATE INDEX asset_saved_by_updated ON asset (updated DESC, row DESC) WHERE deleted IS NULL AND pseudo = 0;
