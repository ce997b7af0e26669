-- The Trash: deleted assets that can still be restored. Such an asset keeps its row, formats, content and history where
-- they are; `asset.deleted` hides them. What other records show of it (links, annotations) is moved here, and back when
-- it is restored: so no query on those tables has to know of the Trash, and what is deleted meanwhile is deleted here too.

CREATE TABLE trash (
  asset INTEGER PRIMARY KEY REFERENCES asset (row) ON DELETE CASCADE,
  deleted INTEGER NOT NULL
) STRICT;
CREATE INDEX trash_by_deleted ON trash (deleted DESC, asset DESC);

CREATE TABLE trash_link (
  asset INTEGER NOT NULL REFERENCES trash (asset) ON DELETE CASCADE,
  item INTEGER NOT NULL REFERENCES item (row) ON DELETE CASCADE,
  mechanism TEXT NOT NULL,
  created INTEGER NOT NULL,
  PRIMARY KEY (asset, item)
) STRICT, WITHOUT ROWID;
CREATE INDEX trash_link_by_item ON trash_link (item, asset);

CREATE TABLE trash_aside_link (
  asset INTEGER NOT NULL REFERENCES trash (asset) ON DELETE CASCADE,
  aside INTEGER NOT NULL REFERENCES aside (row) ON DELETE CASCADE,
  mechanism TEXT NOT NULL,
  document TEXT NOT NULL,
  PRIMARY KEY (asset, aside)
) STRICT, WITHOUT ROWID;
CREATE INDEX trash_aside_link_by_aside ON trash_aside_link (aside, asset);

CREATE TABLE trash_conversation_asset (
  conversation INTEGER NOT NULL REFERENCES conversation (row) ON DELETE CASCADE,
  asset INTEGER NOT NULL REFERENCES trash (asset) ON DELETE CASCADE,
  PRIMARY KEY (conversation, asset)
) STRICT, WITHOUT ROWID;
CREATE INDEX trash_conversation_by_asset ON trash_conversation_asset (asset, conversation);

-- The columns of `annotation`, in the order of its rows. Their numbers are not kept: another annotation may have them since.
CREATE TABLE trash_annotation (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  asset INTEGER NOT NULL REFERENCES trash (asset) ON DELETE CASCADE,
  item INTEGER REFERENCES item (row) ON DELETE CASCADE,
  conversation INTEGER REFERENCES conversation (row) ON DELETE CASCADE,
  person TEXT,
  anchor TEXT,
  kind TEXT NOT NULL,
  text TEXT NOT NULL,
  folded_text TEXT NOT NULL,
  created INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  document TEXT NOT NULL
) STRICT;
CREATE INDEX trash_annotation_by_asset ON trash_annotation (asset, row);
CREATE INDEX trash_annotation_by_item ON trash_annotation (item, row);
CREATE INDEX trash_annotation_by_conversation ON trash_annotation (conversation, row);
