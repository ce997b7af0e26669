-- Earlier versions of assets (see `store::past`). Assets are named by row, which no asset ever gives up.

-- What changes replaced, in the order in which they were made: a row is a piece of what an asset was before a change, and the
-- pieces of one change have its time, which no other has. The writer moves them to `past` when it has nothing else to do.
CREATE TABLE past_log (
  row INTEGER PRIMARY KEY,
  asset INTEGER NOT NULL,
  at INTEGER NOT NULL,
  client TEXT,
  what INTEGER NOT NULL,
  piece ANY
) STRICT;

-- Who made changes, as they named themselves.
CREATE TABLE past_client (row INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;

-- Versions of assets, in order. A row holds what the asset was before the change that was made `at` this time by this
-- client: its pieces, and a checksum. Without pieces it says that versions up to this number are no longer kept.
CREATE TABLE past (
  asset INTEGER NOT NULL,
  version INTEGER NOT NULL,
  at INTEGER NOT NULL,
  client INTEGER,
  pieces BLOB,
  PRIMARY KEY (asset, version)
) STRICT, WITHOUT ROWID;

-- Assets up to this row were there before any version was kept; and the time of the last change that was moved to
-- `past`, and when versions beyond the bounds were last looked for.
CREATE TABLE past_status (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  unrecorded_row INTEGER NOT NULL,
  last INTEGER NOT NULL,
  pruned INTEGER NOT NULL
) STRICT;
INSERT INTO past_status (only_row, unrecorded_row, last, pruned) SELECT 1, coalesce(max(row), 0), 0, 0 FROM asset;

-- When changes were made of which no versions were kept.
CREATE TABLE past_gap (began INTEGER PRIMARY KEY, ended INTEGER) STRICT;

-- Moments with a name; the assets it is about are a JSON array of ids, or NULL for all.
CREATE TABLE checkpoint (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  at INTEGER NOT NULL,
  assets TEXT
) STRICT;
