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
