-- What the writer's connection notes of every change of a record that can be followed, whoever makes it. All of this is
-- TEMP: it is in memory, belongs to the one connection, and is rolled back with the change that it is of.
-- A record is changed by what it is made of, too: an asset by its formats, links and annotations.

CREATE TEMP TABLE changed_record (kind TEXT NOT NULL, id TEXT NOT NULL, deleted INTEGER NOT NULL);

CREATE TEMP TRIGGER changed_asset_made AFTER INSERT ON main.asset BEGIN
  INSERT INTO changed_record VALUES ('asset', new.id, new.deleted IS NOT NULL);
END;
CREATE TEMP TRIGGER changed_asset AFTER UPDATE ON main.asset BEGIN
  INSERT INTO changed_record VALUES ('asset', new.id, new.deleted IS NOT NULL);
END;
CREATE TEMP TRIGGER changed_asset_gone AFTER DELETE ON main.asset BEGIN
  INSERT INTO changed_record VALUES ('asset', old.id, 1);
END;

CREATE TEMP TRIGGER changed_format_made AFTER INSERT ON main.format BEGIN
  INSERT INTO changed_record SELECT 'asset', id, deleted IS NOT NULL FROM asset WHERE row = new.asset;
END;
CREATE TEMP TRIGGER changed_format AFTER UPDATE ON main.format BEGIN
  INSERT INTO changed_record SELECT 'asset', id, deleted IS NOT NULL FROM asset WHERE row = new.asset;
END;
CREATE TEMP TRIGGER changed_format_gone AFTER DELETE ON main.format BEGIN
  INSERT INTO changed_record SELECT 'asset', id, deleted IS NOT NULL FROM asset WHERE row = old.asset;
END;
CREATE TEMP TRIGGER changed_content AFTER UPDATE ON main.content BEGIN
  INSERT INTO changed_record
  SELECT 'asset', asset.id, asset.deleted IS NOT NULL FROM format JOIN asset ON asset.row = format.asset
  WHERE format.row = new.format;
END;

CREATE TEMP TRIGGER changed_item_made AFTER INSERT ON main.item BEGIN
  INSERT INTO changed_record VALUES (new.kind, new.id, 0);
END;
CREATE TEMP TRIGGER changed_item AFTER UPDATE ON main.item BEGIN
  INSERT INTO changed_record VALUES (new.kind, new.id, 0);
END;
CREATE TEMP TRIGGER changed_item_gone AFTER DELETE ON main.item BEGIN
  INSERT INTO changed_record VALUES (old.kind, old.id, 1);
END;

CREATE TEMP TRIGGER changed_link_made AFTER INSERT ON main.link BEGIN
  INSERT INTO changed_record SELECT 'asset', id, deleted IS NOT NULL FROM asset WHERE row = new.asset;
  INSERT INTO changed_record SELECT kind, id, 0 FROM item WHERE row = new.item;
END;
CREATE TEMP TRIGGER changed_link AFTER UPDATE ON main.link BEGIN
  INSERT INTO changed_record SELECT 'asset', id, deleted IS NOT NULL FROM asset WHERE row IN (old.asset, new.asset);
  INSERT INTO changed_record SELECT kind, id, 0 FROM item WHERE row IN (old.item, new.item);
END;
CREATE TEMP TRIGGER changed_link_gone AFTER DELETE ON main.link BEGIN
  INSERT INTO changed_record SELECT 'asset', id, deleted IS NOT NULL FROM asset WHERE row = old.asset;
  INSERT INTO changed_record SELECT kind, id, 0 FROM item WHERE row = old.item;
END;

CREATE TEMP TRIGGER changed_annotation_made AFTER INSERT ON main.annotation BEGIN
  INSERT INTO changed_record SELECT 'asset', id, deleted IS NOT NULL FROM asset WHERE row = new.asset;
  INSERT INTO changed_record SELECT kind, id, 0 FROM item WHERE row = new.item;
  INSERT INTO changed_record SELECT 'conversation', id, 0 FROM conversation WHERE row = new.conversation;
END;
CREATE TEMP TRIGGER changed_annotation AFTER UPDATE ON main.annotation BEGIN
  INSERT INTO changed_record SELECT 'asset', id, deleted IS NOT NULL FROM asset WHERE row IN (old.asset, new.asset);
  INSERT INTO changed_record SELECT kind, id, 0 FROM item WHERE row IN (old.item, new.item);
  INSERT INTO changed_record SELECT 'conversation', id, 0 FROM conversation
  WHERE row IN (old.conversation, new.conversation);
END;
CREATE TEMP TRIGGER changed_annotation_gone AFTER DELETE ON main.annotation BEGIN
  INSERT INTO changed_record SELECT 'asset', id, deleted IS NOT NULL FROM asset WHERE row = old.asset;
  INSERT INTO changed_record SELECT kind, id, 0 FROM item WHERE row = old.item;
  INSERT INTO changed_record SELECT 'conversation', id, 0 FROM conversation WHERE row = old.conversation;
END;

CREATE TEMP TRIGGER changed_activity_made AFTER INSERT ON main.activity BEGIN
  INSERT INTO changed_record VALUES ('activity', new.id, 0);
END;
CREATE TEMP TRIGGER changed_activity AFTER UPDATE ON main.activity BEGIN
  INSERT INTO changed_record VALUES ('activity', new.id, 0);
END;
CREATE TEMP TRIGGER changed_activity_gone AFTER DELETE ON main.activity BEGIN
  INSERT INTO changed_record VALUES ('activity', old.id, 1);
END;

CREATE TEMP TRIGGER changed_conversation_made AFTER INSERT ON main.conversation BEGIN
  INSERT INTO changed_record VALUES ('conversation', new.id, 0);
END;
CREATE TEMP TRIGGER changed_conversation AFTER UPDATE ON main.conversation BEGIN
  INSERT INTO changed_record VALUES ('conversation', new.id, 0);
END;
CREATE TEMP TRIGGER changed_conversation_gone AFTER DELETE ON main.conversation BEGIN
  INSERT INTO changed_record VALUES ('conversation', old.id, 1);
END;

CREATE TEMP TRIGGER changed_message_made AFTER INSERT ON main.conversation_message BEGIN
  INSERT INTO changed_record SELECT 'conversation', id, 0 FROM conversation WHERE row = new.conversation;
END;
CREATE TEMP TRIGGER changed_message AFTER UPDATE ON main.conversation_message BEGIN
  INSERT INTO changed_record SELECT 'conversation', id, 0 FROM conversation
  WHERE row IN (old.conversation, new.conversation);
END;
CREATE TEMP TRIGGER changed_message_gone AFTER DELETE ON main.conversation_message BEGIN
  INSERT INTO changed_record SELECT 'conversation', id, 0 FROM conversation WHERE row = old.conversation;
END;

CREATE TEMP TRIGGER changed_conversation_asset_made AFTER INSERT ON main.conversation_asset BEGIN
  INSERT INTO changed_record SELECT 'conversation', id, 0 FROM conversation WHERE row = new.conversation;
  INSERT INTO changed_record SELECT 'asset', id, deleted IS NOT NULL FROM asset WHERE row = new.asset;
END;
CREATE TEMP TRIGGER changed_conversation_asset_gone AFTER DELETE ON main.conversation_asset BEGIN
  INSERT INTO changed_record SELECT 'conversation', id, 0 FROM conversation WHERE row = old.conversation;
  INSERT INTO changed_record SELECT 'asset', id, deleted IS NOT NULL FROM asset WHERE row = old.asset;
END;

CREATE TEMP TRIGGER changed_application_made AFTER INSERT ON main.application BEGIN
  INSERT INTO changed_record VALUES ('application', new.id, 0);
END;
CREATE TEMP TRIGGER changed_application AFTER UPDATE ON main.application BEGIN
  INSERT INTO changed_record VALUES ('application', new.id, 0);
END;
CREATE TEMP TRIGGER changed_application_gone AFTER DELETE ON main.application BEGIN
  INSERT INTO changed_record VALUES ('application', old.id, 1);
END;

-- Their engagement: sessions, and what is counted a day.
CREATE TEMP TRIGGER changed_session_made AFTER INSERT ON main.session BEGIN
  INSERT INTO changed_record SELECT 'application', id, 0 FROM application WHERE id = new.application;
END;
CREATE TEMP TRIGGER changed_session AFTER UPDATE ON main.session BEGIN
  INSERT INTO changed_record SELECT 'application', id, 0 FROM application WHERE id = new.application;
END;
CREATE TEMP TRIGGER changed_usage_made AFTER INSERT ON main.usage_day BEGIN
  INSERT INTO changed_record SELECT 'application', id, 0 FROM application WHERE id = new.application;
END;
CREATE TEMP TRIGGER changed_usage AFTER UPDATE ON main.usage_day BEGIN
  INSERT INTO changed_record SELECT 'application', id, 0 FROM application WHERE id = new.application;
END;
