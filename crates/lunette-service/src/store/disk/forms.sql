-- The different words of each text, with the parts of identifiers, without positions: for what a search finds that does not
-- have every word as typed. The row is the format's, or the asset's with a minus.
CREATE VIRTUAL TABLE search_form USING fts5 (
  words, content = '', contentless_delete = 1, detail = none, tokenize = "ascii"
);

-- The words that any text has or had.
CREATE TABLE search_vocabulary (word TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

-- What is to be indexed for the first time. The writer takes it from here in steps when it has nothing else to do.
CREATE TABLE search_form_waiting (row INTEGER PRIMARY KEY) STRICT;
INSERT INTO search_form_waiting (row)
SELECT -row FROM search_text UNION ALL SELECT format FROM content WHERE text IS NOT NULL;

CREATE TRIGGER search_form_text_gone AFTER DELETE ON search_text BEGIN
  DELETE FROM search_form WHERE rowid = -old.row;
END;
CREATE TRIGGER search_form_text_changed AFTER UPDATE ON search_text
WHEN (old.name, old.tag, old.website, old.description) IS NOT (new.name, new.tag, new.website, new.description) BEGIN
  DELETE FROM search_form WHERE rowid = -old.row;
END;
CREATE TRIGGER search_form_content_gone AFTER DELETE ON content BEGIN
  DELETE FROM search_form WHERE rowid = old.format;
END;
CREATE TRIGGER search_form_content_changed AFTER UPDATE OF text ON content WHEN old.text IS NOT new.text BEGIN
  DELETE FROM search_form WHERE rowid = old.format;
END;
