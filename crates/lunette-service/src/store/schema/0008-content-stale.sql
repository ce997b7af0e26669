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
