-- A database of version 9 with something in every table of it, as the program of that version makes it. Frozen: never edited.
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

-- The tables as version 2 made them.
-- Tracked applications, their sessions, and what is counted of their use.
-- Times are microseconds since 1970 UTC. Usage names applications by id, tracked or not: one may be registered later.

-- Documents are as they were registered. The service's own application has own = 1.
CREATE TABLE application (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL COLLATE NOCASE UNIQUE,
  own INTEGER NOT NULL DEFAULT 0,
  document TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX application_own ON application (own) WHERE own = 1;

-- The application that last registered with a User-Agent.
CREATE TABLE registration (
  user_agent TEXT PRIMARY KEY,
  application INTEGER NOT NULL REFERENCES application (row) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- Changes of version, in the order they became known.
CREATE TABLE application_version (
  row INTEGER PRIMARY KEY,
  application TEXT NOT NULL COLLATE NOCASE,
  at INTEGER NOT NULL,
  previous TEXT,
  current TEXT NOT NULL
) STRICT;
CREATE INDEX application_version_by_application ON application_version (application, row);

CREATE TABLE session (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL COLLATE NOCASE UNIQUE,
  application TEXT COLLATE NOCASE,
  opened INTEGER NOT NULL,
  closed INTEGER
) STRICT;
CREATE INDEX session_by_application ON session (application, opened);
CREATE INDEX session_open ON session (row) WHERE closed IS NULL;

-- Usage events as they came.
CREATE TABLE usage (
  row INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('interaction', 'keyboard', 'install', 'update')),
  application TEXT COLLATE NOCASE,
  at INTEGER NOT NULL,
  document TEXT NOT NULL
) STRICT;

-- How often an application was used on a UTC day, so that reading it does not count every event.
CREATE TABLE usage_day (
  application TEXT NOT NULL COLLATE NOCASE,
  day TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('session', 'interaction', 'keyboard', 'install', 'update')),
  events INTEGER NOT NULL,
  last INTEGER NOT NULL,
  PRIMARY KEY (application, day, kind)
) STRICT, WITHOUT ROWID;

INSERT INTO application (row, id, own, document) VALUES (1, 'own app', 1, '{"name":"own"}'), (2, 'other app', 0, '{"name":"VS_CODE"}');
INSERT INTO registration (user_agent, application) VALUES ('curl/8', 2);
INSERT INTO application_version (row, application, at, previous, current) VALUES (1, 'other app', 30, NULL, '1.0');
INSERT INTO session (row, id, application, opened, closed) VALUES (1, 'first session', 'other app', 31, 32);
INSERT INTO usage (row, kind, application, at, document) VALUES (1, 'interaction', 'other app', 33, '{}');
INSERT INTO usage_day (application, day, kind, events, last) VALUES ('other app', '1970-01-01', 'interaction', 1, 33);

-- The tables as version 3 made them.
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

UPDATE item SET score_reuse = 4 WHERE id = 'tag id';
INSERT INTO aside (row, kind, id, created, updated, deleted, document) VALUES (1, 'person', 'person id', 40, 41, NULL, '{"name":"Ada"}'),
  (2, 'hint', 'gone hint', 42, 43, 43, '{}');
INSERT INTO aside_link (asset, aside, mechanism, document) VALUES (3, 1, 'MANUAL', '{"scope":"READ"}');

-- The tables as version 4 made them.
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

INSERT INTO asset (row, id, name, folded_name, mechanism, created, updated, document) VALUES (12, 'pseudo', 'p', 'p', 'AUTOMATIC', 50, 51, '{"pseudo":true}');
INSERT INTO annotation (row, id, conversation, person, kind, text, folded_text, created, updated, document) VALUES
  (10, 'of the talk', 1, 'person id', 'COMMENT', 'Agreed', 'agreed', 52, 53, '{"of_tomorrow":true}');
UPDATE conversation SET favorited = 54, score_priority = 2, document = '{"pinned":true}' WHERE id = 'talk';
UPDATE conversation_message SET updated = 55 WHERE id = 'said';

-- What a search looks through, and the triggers that keep it right: whatever writes the tables above, by whatever way,
-- is found by what it wrote once it is committed. Who rebuilds one of those tables makes its triggers anew.

DROP TABLE content_word;
CREATE INDEX asset_by_folded_name ON asset (folded_name) WHERE deleted IS NULL;

-- Text with letters of scripts that write no spaces between words, or with pictures for words: Thai to Burmese, Hangul
-- jamo, Khmer, symbols, CJK and kana, Hangul, their wide and narrow forms, emoji. `model::words` has the same list.
CREATE VIEW search_spaceless (pattern) AS SELECT char(
  42, 91, 3584, 45, 4095, 4096, 45, 4607, 6016, 45, 6143, 9728, 45, 10175, 11904, 45, 40959, 43360, 45, 43391,
  44032, 45, 55295, 63744, 45, 64255, 65382, 45, 65500, 110592, 45, 111359, 126976, 45, 129791, 131072, 45,
  262143, 93, 42
);

-- What is said of an asset, a line a tag, a website's name, a website's address, an annotation.
CREATE VIEW search_source (row, name, tag, website, description) AS
SELECT
  asset.row,
  iif(octet_length(asset.name) > 65536, substr(asset.name, 1, 16384), coalesce(asset.name, '')),
  coalesce((SELECT group_concat(iif(octet_length(item.name) > 16384, substr(item.name, 1, 4096), item.name), char(10) ORDER BY item.row)
    FROM link JOIN item ON item.row = link.item WHERE link.asset = asset.row AND item.kind = 'tag'), ''),
  coalesce((SELECT group_concat(iif(octet_length(item.name) > 16384, substr(item.name, 1, 4096), item.name) || char(10) || coalesce(item.key, ''), char(10)
    ORDER BY item.row)
    FROM link JOIN item ON item.row = link.item WHERE link.asset = asset.row AND item.kind = 'website'), ''),
  coalesce((SELECT group_concat(iif(octet_length(annotation.text) > 262144, substr(annotation.text, 1, 65536), annotation.text),
    char(10) ORDER BY annotation.row)
    FROM annotation WHERE annotation.asset = asset.row AND annotation.text <> ''), '')
FROM asset WHERE asset.deleted IS NULL;

CREATE TABLE search_text (
  row INTEGER PRIMARY KEY REFERENCES asset (row) ON DELETE CASCADE,
  name TEXT NOT NULL,
  tag TEXT NOT NULL,
  website TEXT NOT NULL,
  description TEXT NOT NULL
) STRICT;

-- Any part of what is said of an asset; the row is the asset's. Two line ends follow each text, so that its last letters
-- begin a term too: what is shorter than a term is found by the terms that begin with it.
CREATE VIRTUAL TABLE search_part USING fts5 (
  name, tag, website, description,
  content = '', contentless_delete = 1, tokenize = "trigram remove_diacritics 1"
);
CREATE VIRTUAL TABLE search_part_term USING fts5vocab (search_part, row);

-- Words of text content, its first million letters; the row is the format's.
CREATE VIRTUAL TABLE search_word USING fts5 (
  text, content = '', contentless_delete = 1, prefix = '2 3',
  tokenize = "unicode61 remove_diacritics 2 tokenchars '_'"
);

-- Any part of content in which words have no spaces between them, or which has pictures for words.
CREATE VIRTUAL TABLE search_script USING fts5 (
  text, content = '', contentless_delete = 1, tokenize = "trigram remove_diacritics 1"
);
CREATE VIRTUAL TABLE search_script_term USING fts5vocab (search_script, row);

CREATE TRIGGER search_text_made AFTER INSERT ON search_text BEGIN
  INSERT INTO search_part (rowid, name, tag, website, description)
  VALUES (new.row, new.name || char(10, 10), new.tag || char(10, 10), new.website || char(10, 10),
    new.description || char(10, 10));
END;
CREATE TRIGGER search_text_gone AFTER DELETE ON search_text BEGIN
  DELETE FROM search_part WHERE rowid = old.row;
END;
CREATE TRIGGER search_text_changed AFTER UPDATE ON search_text
WHEN (old.name, old.tag, old.website, old.description) IS NOT (new.name, new.tag, new.website, new.description) BEGIN
  DELETE FROM search_part WHERE rowid = old.row;
  INSERT INTO search_part (rowid, name, tag, website, description)
  VALUES (new.row, new.name || char(10, 10), new.tag || char(10, 10), new.website || char(10, 10),
    new.description || char(10, 10));
END;

-- Assets of which something else is said since the last commit. The writer brings their texts up to date once before each
-- commit, however much was changed; so none is left in a commit of its.
CREATE TABLE search_stale (row INTEGER PRIMARY KEY) STRICT;

CREATE TRIGGER search_asset_made AFTER INSERT ON asset BEGIN
  INSERT INTO search_stale (row) SELECT new.row WHERE NOT EXISTS (SELECT 1 FROM search_stale WHERE row = new.row);
END;
CREATE TRIGGER search_asset_changed AFTER UPDATE OF name, deleted ON asset
WHEN old.name IS NOT new.name OR old.deleted IS NOT new.deleted BEGIN
  INSERT INTO search_stale (row) SELECT new.row WHERE NOT EXISTS (SELECT 1 FROM search_stale WHERE row = new.row);
END;
CREATE TRIGGER search_link_made AFTER INSERT ON link BEGIN
  INSERT INTO search_stale (row) SELECT new.asset WHERE NOT EXISTS (SELECT 1 FROM search_stale WHERE row = new.asset);
END;
CREATE TRIGGER search_link_gone AFTER DELETE ON link BEGIN
  INSERT INTO search_stale (row) SELECT old.asset WHERE NOT EXISTS (SELECT 1 FROM search_stale WHERE row = old.asset);
END;
CREATE TRIGGER search_item_changed AFTER UPDATE OF name, key ON item
WHEN old.name IS NOT new.name OR old.key IS NOT new.key BEGIN
  INSERT INTO search_stale (row)
  SELECT asset FROM link WHERE item = new.row AND asset NOT IN (SELECT row FROM search_stale);
END;
CREATE TRIGGER search_annotation_made AFTER INSERT ON annotation WHEN new.asset IS NOT NULL BEGIN
  INSERT INTO search_stale (row) SELECT new.asset WHERE NOT EXISTS (SELECT 1 FROM search_stale WHERE row = new.asset);
END;
CREATE TRIGGER search_annotation_gone AFTER DELETE ON annotation WHEN old.asset IS NOT NULL BEGIN
  INSERT INTO search_stale (row) SELECT old.asset WHERE NOT EXISTS (SELECT 1 FROM search_stale WHERE row = old.asset);
END;
CREATE TRIGGER search_annotation_changed AFTER UPDATE OF text, asset ON annotation
WHEN old.text IS NOT new.text OR old.asset IS NOT new.asset BEGIN
  INSERT INTO search_stale (row)
  SELECT row FROM asset WHERE row IN (old.asset, new.asset) AND row NOT IN (SELECT row FROM search_stale);
END;

-- Text with none but ASCII has no script: that is seen by its lengths, before any letter is looked at.
CREATE TRIGGER search_content_made AFTER INSERT ON content WHEN new.text IS NOT NULL BEGIN
  INSERT INTO search_word (rowid, text)
  VALUES (new.format, iif(octet_length(new.text) > 1000000, substr(new.text, 1, 1000000), new.text));
  INSERT INTO search_script (rowid, text)
  SELECT new.format, substr(new.text, 1, 1000000) || char(10, 10)
  WHERE octet_length(new.text) > length(new.text) AND new.text GLOB (SELECT pattern FROM search_spaceless);
END;
CREATE TRIGGER search_content_gone AFTER DELETE ON content BEGIN
  DELETE FROM search_word WHERE rowid = old.format;
  DELETE FROM search_script WHERE rowid = old.format;
END;
CREATE TRIGGER search_content_changed AFTER UPDATE OF text ON content WHEN old.text IS NOT new.text BEGIN
  DELETE FROM search_word WHERE rowid = old.format;
  DELETE FROM search_script WHERE rowid = old.format;
  INSERT INTO search_word (rowid, text)
  SELECT new.format, iif(octet_length(new.text) > 1000000, substr(new.text, 1, 1000000), new.text)
  WHERE new.text IS NOT NULL;
  INSERT INTO search_script (rowid, text)
  SELECT new.format, substr(new.text, 1, 1000000) || char(10, 10)
  WHERE octet_length(new.text) > length(new.text) AND new.text GLOB (SELECT pattern FROM search_spaceless);
END;

-- What was there before.
INSERT INTO search_text SELECT * FROM search_source;
INSERT INTO search_word (rowid, text)
SELECT format, iif(octet_length(text) > 1000000, substr(text, 1, 1000000), text) FROM content WHERE text IS NOT NULL;
INSERT INTO search_script (rowid, text)
SELECT format, substr(text, 1, 1000000) || char(10, 10) FROM content
WHERE octet_length(text) > length(text) AND text GLOB (SELECT pattern FROM search_spaceless);

-- The tables as version 6 made them.
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

-- What the program of version 6 wrote: an asset in the Trash with all that it was linked to.
INSERT INTO asset (row, id, name, folded_name, mechanism, created, updated, deleted, document)
  VALUES (20, 'trashed', 'In the Trash', 'in the trash', 'MANUAL', 60, 61, 61, '{}');
INSERT INTO trash (asset, deleted) VALUES (20, 4102444800000000);
INSERT INTO trash_link (asset, item, mechanism, created) VALUES (20, 1, 'MANUAL', 60);
INSERT INTO trash_aside_link (asset, aside, mechanism, document) VALUES (20, 1, 'MANUAL', '{}');
INSERT INTO trash_conversation_asset (conversation, asset) VALUES (1, 20);
INSERT INTO trash_annotation (row, id, asset, kind, text, folded_text, created, updated, document)
  VALUES (1, 'of the trashed', 20, 'COMMENT', 'Kept', 'kept', 60, 61, '{}');

-- The checksums of version 7, as the program of that version computed them.
ALTER TABLE asset ADD COLUMN sum INTEGER;
UPDATE asset SET sum = -5521840276982772917 WHERE row = 3;
UPDATE asset SET sum = 1390120437749697511 WHERE row = 4;
UPDATE asset SET sum = 1963767721962181461 WHERE row = 9;
UPDATE asset SET sum = 5104496931200526546 WHERE row = 12;
UPDATE asset SET sum = 951661367452133030 WHERE row = 20;
ALTER TABLE item ADD COLUMN sum INTEGER;
UPDATE item SET sum = 8269037904051672588 WHERE row = 1;
UPDATE item SET sum = 5546214814733822255 WHERE row = 2;
UPDATE item SET sum = 4026950510994824323 WHERE row = 5;
ALTER TABLE aside ADD COLUMN sum INTEGER;
UPDATE aside SET sum = -3197264859542637012 WHERE row = 1;
UPDATE aside SET sum = -4169474848655307645 WHERE row = 2;
ALTER TABLE annotation ADD COLUMN sum INTEGER;
UPDATE annotation SET sum = -12359659592400558 WHERE row = 4;
UPDATE annotation SET sum = -7190796879572585186 WHERE row = 6;
UPDATE annotation SET sum = -2875426842104810086 WHERE row = 10;
ALTER TABLE conversation ADD COLUMN sum INTEGER;
UPDATE conversation SET sum = -2115180710304872295 WHERE row = 1;
ALTER TABLE conversation_message ADD COLUMN sum INTEGER;
UPDATE conversation_message SET sum = -3422298839050290991 WHERE row = 1;

-- The changes of version 8.
-- Text content that is not indexed yet. The writer indexes it once before each commit, as it does the metadata: an index
-- is written to the file at every savepoint, so that one asset at a time costs several times as much. None is left in a
-- commit of its.
CREATE TABLE search_content_stale (format INTEGER PRIMARY KEY) STRICT;

DROP TRIGGER search_content_made;
CREATE TRIGGER search_content_made AFTER INSERT ON content WHEN new.text IS NOT NULL BEGIN
  INSERT INTO search_content_stale (format)
  SELECT new.format WHERE NOT EXISTS (SELECT 1 FROM search_content_stale WHERE format = new.format);
END;

DROP TRIGGER search_content_changed;
CREATE TRIGGER search_content_changed AFTER UPDATE OF text ON content WHEN old.text IS NOT new.text BEGIN
  DELETE FROM search_word WHERE rowid = old.format;
  DELETE FROM search_script WHERE rowid = old.format;
  INSERT INTO search_content_stale (format)
  SELECT new.format WHERE NOT EXISTS (SELECT 1 FROM search_content_stale WHERE format = new.format);
END;

-- The changes of version 9.
-- Text content of large batches that is to be indexed after the commit that stored it. The writer takes it from here in
-- steps when it has nothing else to do, and goes on after a restart.
CREATE TABLE search_content_waiting (format INTEGER PRIMARY KEY) STRICT;

PRAGMA user_version = 9;
