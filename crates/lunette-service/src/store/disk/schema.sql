-- Everything that is stored. Times are microseconds since 1970 UTC. Documents are JSON objects with the fields that have no
-- column. A counter that never moved is NULL. `sum` is a checksum of the texts of a row (see `store::checksum`), which the
-- writer makes.

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
  document TEXT NOT NULL DEFAULT '{}',
  pseudo INTEGER GENERATED ALWAYS AS ((document ->> '$.pseudo') IS 1) VIRTUAL,
  sum INTEGER
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
  sum INTEGER,
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
  score_priority INTEGER,
  score_reuse INTEGER,
  score_update INTEGER,
  score_reference INTEGER,
  score_searched INTEGER,
  sum INTEGER,
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

CREATE TABLE conversation (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT,
  created INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  favorited INTEGER,
  score_priority INTEGER,
  score_reuse INTEGER,
  score_update INTEGER,
  score_reference INTEGER,
  score_searched INTEGER,
  document TEXT NOT NULL DEFAULT '{}',
  sum INTEGER
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
  text TEXT NOT NULL,
  updated INTEGER,
  document TEXT NOT NULL DEFAULT '{}',
  sum INTEGER
) STRICT;
CREATE INDEX conversation_message_by_conversation ON conversation_message (conversation, row);

-- Tracked applications, as they were registered. The service's own has own = 1.
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

-- Usage events as they came. They name applications by id, tracked or not: one may be registered later.
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

-- Persons, anchors and hints. One that was deleted keeps its row alone, so that its id is known as one of ours.
CREATE TABLE aside (
  row INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('person', 'anchor', 'hint')),
  id TEXT NOT NULL,
  created INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  deleted INTEGER,
  document TEXT NOT NULL,
  sum INTEGER,
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

-- Texts. One may be about one thing, several or none. Persons and anchors are named by id. SQLite quoted the name when the
-- table was rebuilt, and files have it so.
CREATE TABLE "annotation" (
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
  document TEXT NOT NULL DEFAULT '{}',
  sum INTEGER
) STRICT;
CREATE INDEX annotation_by_asset ON annotation (asset, row);
CREATE INDEX annotation_by_item ON annotation (item, row);
CREATE INDEX annotation_by_conversation ON annotation (conversation, row);
CREATE INDEX annotation_by_person ON annotation (person, row) WHERE person IS NOT NULL;
CREATE INDEX annotation_by_anchor ON annotation (anchor, row) WHERE anchor IS NOT NULL;

-- What happened, to an asset or to anything else. Where `told` is absent, the event is of the asset and made of `event`
-- and `metadata`; else it is the event as it was told. The format is named by id, which may be gone.
CREATE TABLE "activity" (
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
CREATE INDEX activity_by_asset ON activity (asset, row);

-- Without assets that nobody saved on purpose: `pseudo`, as their document says.
CREATE INDEX asset_saved_by_updated ON asset (updated DESC, row DESC) WHERE deleted IS NULL AND pseudo = 0;
CREATE INDEX asset_by_folded_name ON asset (folded_name) WHERE deleted IS NULL;

-- The search index, and the triggers that keep it right: whatever writes the tables above is found by what it wrote once
-- it is committed. A migration that rebuilds one of those tables makes its triggers anew.

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

-- Assets whose texts changed since the last commit. The writer brings their index up to date once before each commit,
-- however much was changed; so none is left in a commit of its own.
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
CREATE TRIGGER search_content_gone AFTER DELETE ON content BEGIN
  DELETE FROM search_word WHERE rowid = old.format;
  DELETE FROM search_script WHERE rowid = old.format;
END;

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

-- Text content that is not indexed yet. The writer indexes it once before each commit, as it does the metadata: an index
-- is written to the file at every savepoint, so that one asset at a time costs several times as much. None is left in a
-- commit of the writer.
CREATE TABLE search_content_stale (format INTEGER PRIMARY KEY) STRICT;

CREATE TRIGGER search_content_made AFTER INSERT ON content WHEN new.text IS NOT NULL BEGIN
  INSERT INTO search_content_stale (format)
  SELECT new.format WHERE NOT EXISTS (SELECT 1 FROM search_content_stale WHERE format = new.format);
END;
CREATE TRIGGER search_content_changed AFTER UPDATE OF text ON content WHEN old.text IS NOT new.text BEGIN
  DELETE FROM search_word WHERE rowid = old.format;
  DELETE FROM search_script WHERE rowid = old.format;
  INSERT INTO search_content_stale (format)
  SELECT new.format WHERE NOT EXISTS (SELECT 1 FROM search_content_stale WHERE format = new.format);
END;

-- Text content of large batches that is to be indexed after the commit that stored it. The writer takes it from here in
-- steps when it has nothing else to do, and goes on after a restart.
CREATE TABLE search_content_waiting (format INTEGER PRIMARY KEY) STRICT;
