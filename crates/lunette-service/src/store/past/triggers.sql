-- What the writer's connection appends to the log of what changes replaced, whoever makes them. `past_kept` is whether
-- versions of an asset are kept: not of one that is being created. While none are kept (`past_stopped`), a change appends
-- what versions from before hang on, and removes it at its end (`past::stopped`). An asset in the Trash keeps its links and
-- annotations in other tables, which are not changes of it.

CREATE TEMP TRIGGER past_asset AFTER UPDATE OF name, mechanism, favorited ON main.asset
WHEN (old.name, old.mechanism, old.favorited) IS NOT (new.name, new.mechanism, new.favorited) AND (past_kept(old.row)
  OR past_stopped() AND EXISTS (SELECT 1 FROM past WHERE asset = old.row AND pieces IS NOT NULL)) BEGIN
  INSERT INTO past_log (asset, at, client, what, piece)
  VALUES (old.row, past_at(), past_client(), 1, json_array(old.name, old.mechanism, old.favorited));
END;
CREATE TEMP TRIGGER past_document AFTER UPDATE OF document ON main.asset
WHEN old.document IS NOT new.document AND (past_kept(old.row)
  OR past_stopped() AND EXISTS (SELECT 1 FROM past WHERE asset = old.row AND pieces IS NOT NULL)) BEGIN
  INSERT INTO past_log (asset, at, client, what, piece)
  VALUES (old.row, past_at(), past_client(), 2, past_difference(old.document, new.document));
END;
CREATE TEMP TRIGGER past_deleted AFTER UPDATE OF deleted ON main.asset
WHEN (old.deleted IS NULL) <> (new.deleted IS NULL) AND (past_kept(old.row)
  OR past_stopped() AND EXISTS (SELECT 1 FROM past WHERE asset = old.row AND pieces IS NOT NULL)) BEGIN
  INSERT INTO past_log (asset, at, client, what, piece)
  VALUES (old.row, past_at(), past_client(), 3, old.deleted IS NOT NULL);
END;
CREATE TEMP TRIGGER past_language AFTER UPDATE OF generic, specific ON main.format
WHEN old.place = 0 AND (old.generic, old.specific) IS NOT (new.generic, new.specific) AND (past_kept(old.asset)
  OR past_stopped() AND EXISTS (SELECT 1 FROM past WHERE asset = old.asset AND pieces IS NOT NULL)) BEGIN
  INSERT INTO past_log (asset, at, client, what, piece)
  VALUES (old.asset, past_at(), past_client(), 4, json_array(old.generic, old.specific));
END;

CREATE TEMP TRIGGER past_link_made AFTER INSERT ON main.link WHEN (past_kept(new.asset)
  OR past_stopped() AND EXISTS (SELECT 1 FROM past WHERE asset = new.asset AND pieces IS NOT NULL)) BEGIN
  INSERT INTO past_log (asset, at, client, what, piece)
  SELECT new.asset, past_at(), past_client(), 6, id FROM item
  WHERE row = new.item AND NOT EXISTS (SELECT 1 FROM trash WHERE trash.asset = new.asset);
END;
CREATE TEMP TRIGGER past_link_gone AFTER DELETE ON main.link WHEN (past_kept(old.asset)
  OR past_stopped() AND EXISTS (SELECT 1 FROM past WHERE asset = old.asset AND pieces IS NOT NULL)) BEGIN
  INSERT INTO past_log (asset, at, client, what, piece)
  SELECT old.asset, past_at(), past_client(), 7, json_array(id, kind, name, key, old.mechanism) FROM item
  WHERE row = old.item AND NOT EXISTS (SELECT 1 FROM trash WHERE trash.asset = old.asset);
END;

CREATE TEMP TRIGGER past_aside_made AFTER INSERT ON main.aside_link WHEN (past_kept(new.asset)
  OR past_stopped() AND EXISTS (SELECT 1 FROM past WHERE asset = new.asset AND pieces IS NOT NULL)) BEGIN
  INSERT INTO past_log (asset, at, client, what, piece)
  SELECT new.asset, past_at(), past_client(), 8, id FROM aside
  WHERE row = new.aside AND NOT EXISTS (SELECT 1 FROM trash WHERE trash.asset = new.asset);
END;
CREATE TEMP TRIGGER past_aside_gone AFTER DELETE ON main.aside_link WHEN (past_kept(old.asset)
  OR past_stopped() AND EXISTS (SELECT 1 FROM past WHERE asset = old.asset AND pieces IS NOT NULL)) BEGIN
  INSERT INTO past_log (asset, at, client, what, piece)
  SELECT old.asset, past_at(), past_client(), 9, json_array(id, kind, old.mechanism, old.document, document) FROM aside
  WHERE row = old.aside AND NOT EXISTS (SELECT 1 FROM trash WHERE trash.asset = old.asset);
END;

CREATE TEMP TRIGGER past_conversation_made AFTER INSERT ON main.conversation_asset WHEN (past_kept(new.asset)
  OR past_stopped() AND EXISTS (SELECT 1 FROM past WHERE asset = new.asset AND pieces IS NOT NULL)) BEGIN
  INSERT INTO past_log (asset, at, client, what, piece)
  SELECT new.asset, past_at(), past_client(), 10, id FROM conversation
  WHERE row = new.conversation AND NOT EXISTS (SELECT 1 FROM trash WHERE trash.asset = new.asset);
END;
CREATE TEMP TRIGGER past_conversation_gone AFTER DELETE ON main.conversation_asset WHEN (past_kept(old.asset)
  OR past_stopped() AND EXISTS (SELECT 1 FROM past WHERE asset = old.asset AND pieces IS NOT NULL)) BEGIN
  INSERT INTO past_log (asset, at, client, what, piece)
  SELECT old.asset, past_at(), past_client(), 11, json_array(id, name) FROM conversation
  WHERE row = old.conversation AND NOT EXISTS (SELECT 1 FROM trash WHERE trash.asset = old.asset);
END;

CREATE TEMP TRIGGER past_annotation_made AFTER INSERT ON main.annotation
WHEN new.asset IS NOT NULL AND (past_kept(new.asset)
  OR past_stopped() AND EXISTS (SELECT 1 FROM past WHERE asset = new.asset AND pieces IS NOT NULL)) BEGIN
  INSERT INTO past_log (asset, at, client, what, piece)
  SELECT new.asset, past_at(), past_client(), 12, new.id
  WHERE NOT EXISTS (SELECT 1 FROM trash WHERE trash.asset = new.asset);
END;
CREATE TEMP TRIGGER past_annotation_gone AFTER DELETE ON main.annotation
WHEN old.asset IS NOT NULL AND (past_kept(old.asset)
  OR past_stopped() AND EXISTS (SELECT 1 FROM past WHERE asset = old.asset AND pieces IS NOT NULL)) BEGIN
  INSERT INTO past_log (asset, at, client, what, piece)
  SELECT old.asset, past_at(), past_client(), 13, json_array(old.id, old.kind, old.text, old.document)
  WHERE NOT EXISTS (SELECT 1 FROM trash WHERE trash.asset = old.asset);
END;
CREATE TEMP TRIGGER past_annotation AFTER UPDATE OF kind, text, document ON main.annotation
WHEN old.asset IS NOT NULL AND (old.kind, old.text, old.document) IS NOT (new.kind, new.text, new.document)
  AND (past_kept(old.asset)
  OR past_stopped() AND EXISTS (SELECT 1 FROM past WHERE asset = old.asset AND pieces IS NOT NULL)) BEGIN
  INSERT INTO past_log (asset, at, client, what, piece)
  VALUES (old.asset, past_at(), past_client(), 13, json_array(old.id, old.kind, old.text, old.document));
END;
