-- A database of version 1 with something in every table of it, as the program of that version makes it. Frozen: never edited.
PRAGMA application_id = 1280659013;

-- The tables as version 1 made them.
-- Assets, what they hold, what they are linked to, and what happened to them.
-- Times are microseconds since 1970 UTC. Documents are JSON objects with the fields that have no column.

CREATE TABLE identity (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  folder TEXT NOT NULL,
  user TEXT NOT NULL
) STRICT;

INSERT INTO identity (only_row, folder, user)
WITH random_uuid (text) AS (
  SELECT lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-'
    || substr('89ab', 1 + abs(random() % 4), 1) || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))
  FROM (VALUES (1), (2))
)
SELECT 1, min(text), max(text) FROM random_uuid;

-- The records of the applications that assets and activities came from, each once.
CREATE TABLE origin (
  row INTEGER PRIMARY KEY,
  document TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE asset (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL COLLATE NOCASE UNIQUE,
  name TEXT,
  folded_name TEXT NOT NULL DEFAULT '',
  mechanism TEXT NOT NULL,
  created INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  deleted INTEGER,
  favorited INTEGER,
  score_manual INTEGER NOT NULL DEFAULT 0,
  score_automatic INTEGER NOT NULL DEFAULT 0,
  score_priority INTEGER,
  score_reuse INTEGER,
  score_update INTEGER,
  score_reference INTEGER,
  score_searched INTEGER,
  document TEXT NOT NULL DEFAULT '{}'
) STRICT;
CREATE INDEX asset_by_updated ON asset (updated DESC, row DESC) WHERE deleted IS NULL;
CREATE INDEX asset_by_name ON asset (name) WHERE deleted IS NULL;

-- An asset's formats; the one with place 0 is the original and the base of the preview.
CREATE TABLE format (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  asset INTEGER NOT NULL REFERENCES asset (row) ON DELETE CASCADE,
  place INTEGER NOT NULL,
  role TEXT NOT NULL,
  generic TEXT NOT NULL,
  specific TEXT NOT NULL,
  origin INTEGER NOT NULL REFERENCES origin (row),
  binary INTEGER NOT NULL,
  size INTEGER NOT NULL,
  sha256 BLOB NOT NULL,
  created INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  UNIQUE (asset, place)
) STRICT;
CREATE INDEX format_by_sha256 ON format (sha256);

-- What formats hold, apart from them: a listing never reads it.
CREATE TABLE content (
  format INTEGER PRIMARY KEY REFERENCES format (row) ON DELETE CASCADE,
  text TEXT,
  bytes BLOB,
  CHECK ((text IS NULL) <> (bytes IS NULL))
) STRICT;

-- Words of text content; the row is the asset's.
CREATE VIRTUAL TABLE content_word USING fts5 (
  text, content = '', contentless_delete = 1, detail = none, tokenize = "unicode61 remove_diacritics 2 tokenchars '_'"
);

-- Tags, websites and workstream summaries. The key is what makes one the same: a tag's text, a website's address.
CREATE TABLE item (
  row INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('tag', 'website', 'summary')),
  id TEXT NOT NULL,
  key TEXT,
  name TEXT NOT NULL,
  folded_name TEXT NOT NULL,
  created INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  document TEXT NOT NULL DEFAULT '{}',
  UNIQUE (kind, id),
  UNIQUE (kind, key)
) STRICT;

CREATE TABLE link (
  asset INTEGER NOT NULL REFERENCES asset (row) ON DELETE CASCADE,
  item INTEGER NOT NULL REFERENCES item (row) ON DELETE CASCADE,
  mechanism TEXT NOT NULL,
  created INTEGER NOT NULL,
  PRIMARY KEY (asset, item)
) STRICT, WITHOUT ROWID;
CREATE INDEX link_by_item ON link (item, asset);

-- Texts about an asset or a workstream summary.
CREATE TABLE annotation (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  asset INTEGER REFERENCES asset (row) ON DELETE CASCADE,
  item INTEGER REFERENCES item (row) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  text TEXT NOT NULL,
  folded_text TEXT NOT NULL,
  created INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  CHECK ((asset IS NULL) <> (item IS NULL))
) STRICT;
CREATE INDEX annotation_by_asset ON annotation (asset, row);
CREATE INDEX annotation_by_item ON annotation (item, row);

CREATE TABLE activity (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  asset INTEGER NOT NULL REFERENCES asset (row) ON DELETE CASCADE,
  created INTEGER NOT NULL,
  event TEXT NOT NULL,
  mechanism TEXT NOT NULL,
  rank INTEGER NOT NULL,
  origin INTEGER NOT NULL REFERENCES origin (row),
  metadata TEXT
) STRICT;
CREATE INDEX activity_by_asset ON activity (asset, row);

CREATE TABLE conversation (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT,
  created INTEGER NOT NULL,
  updated INTEGER NOT NULL
) STRICT;

CREATE TABLE conversation_asset (
  conversation INTEGER NOT NULL REFERENCES conversation (row) ON DELETE CASCADE,
  asset INTEGER NOT NULL REFERENCES asset (row) ON DELETE CASCADE,
  PRIMARY KEY (conversation, asset)
) STRICT, WITHOUT ROWID;
CREATE INDEX conversation_by_asset ON conversation_asset (asset, conversation);

CREATE TABLE conversation_message (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  conversation INTEGER NOT NULL REFERENCES conversation (row) ON DELETE CASCADE,
  created INTEGER NOT NULL,
  role TEXT NOT NULL,
  text TEXT NOT NULL
) STRICT;
CREATE INDEX conversation_message_by_conversation ON conversation_message (conversation, row);

-- What is kept of that version.
INSERT INTO origin (row, document) VALUES (1, '{"id":"a"}');
INSERT INTO asset (row, id, name, folded_name, mechanism, created, updated, deleted, favorited, score_priority, document) VALUES
  (3, 'kept', 'Größe.rs', 'größe.rs', 'MANUAL', 10, 20, NULL, 15, 7, '{"of_tomorrow":[1,2.50]}'),
  (4, 'gone', NULL, '', 'AUTOMATIC', 11, 22, 22, NULL, NULL, '{}'),
  (9, 'scripted', '検索', '検索', 'MANUAL', 12, 23, NULL, NULL, NULL, '{}');
INSERT INTO format (row, id, asset, place, role, generic, specific, origin, binary, size, sha256, created, updated) VALUES
  (7, 'text of it', 3, 0, 'BOTH', 'CODE', 'rs', 1, 0, 13, x'536e506bb90914c243a12b397b9a998f85ae2cbd9ba02dfd03a9e155ca5ca0f4', 10, 20),
  (8, 'script', 9, 0, 'BOTH', 'TEXT', 'txt', 1, 0, 18, x'1f97b3a032425259f2303f8fc8d90b2b9295dc75ce930033fa6acf0cf1bc87eb', 12, 23),
  (11, 'bytes of it', 3, 1, 'NEITHER', 'IMAGE', 'png', 1, 1, 4, x'53adcc623a099c513c233ad5ebc2eb45a0f12c8c61a393d7ca215ac89907b8e4', 10, 20);
INSERT INTO content (format, text, bytes) VALUES (7, 'fn main() {}' || char(10), NULL), (8, '検索できる文', NULL), (11, NULL, x'00FF100D');
INSERT INTO item (row, kind, id, key, name, folded_name, created, updated, document) VALUES
  (1, 'tag', 'tag id', 'parser', 'Parser', 'parser', 1, 2, '{"category":"SUBJECT"}'),
  (2, 'website', 'website id', 'https://example.org/', 'Example', 'example', 3, 4, '{}'),
  (5, 'summary', 'summary id', NULL, 'Week 47', 'week 47', 5, 6, '{}');
INSERT INTO link (asset, item, mechanism, created) VALUES (3, 1, 'MANUAL', 10), (3, 2, 'AUTOMATIC', 11);
INSERT INTO annotation (row, id, asset, item, kind, text, folded_text, created, updated) VALUES
  (4, 'of the asset', 3, NULL, 'DESCRIPTION', 'Reads files', 'reads files', 12, 13),
  (6, 'of the summary', NULL, 5, 'SUMMARY', 'We wrote', 'we wrote', 14, 15);
INSERT INTO activity (row, id, asset, created, event, mechanism, rank, origin, metadata) VALUES
  (6, 'made', 3, 16, 'asset_created', 'MANUAL', 0, 1, NULL),
  (8, 'tagged', 3, 17, 'asset_tag_added', 'AUTOMATIC', 2, 1, '{"tag":{"id":"tag id"}}');
INSERT INTO conversation (row, id, name, created, updated) VALUES (1, 'talk', 'A talk', 18, 19);
INSERT INTO conversation_asset (conversation, asset) VALUES (1, 3);
INSERT INTO conversation_message (row, id, conversation, created, role, text) VALUES (1, 'said', 1, 18, 'USER', 'hello');

PRAGMA user_version = 1;
