-- What the writer's connection notes of every change of a record that can be followed, whoever makes it: the function
-- `record_change` takes kind, id, and whether the record was deleted. The triggers are TEMP: they belong to the one
-- connection.
-- A record is changed by what it is made of, too: an asset by its formats, links and annotations.

CREATE TEMP TRIGGER changed_asset_made AFTER INSERT ON main.asset BEGIN
  SELECT record_change('asset', new.id, new.deleted IS NOT NULL);
END;
CREATE TEMP TRIGGER changed_asset AFTER UPDATE ON main.asset BEGIN
  SELECT record_change('asset', new.id, new.deleted IS NOT NULL);
END;
CREATE TEMP TRIGGER changed_asset_gone AFTER DELETE ON main.asset BEGIN
  SELECT record_change('asset', old.id, 1);
END;

CREATE TEMP TRIGGER changed_format_made AFTER INSERT ON main.format BEGIN
  SELECT record_change('asset', id, deleted IS NOT NULL) FROM asset WHERE row = new.asset;
END;
CREATE TEMP TRIGGER changed_format AFTER UPDATE ON main.format BEGIN
  SELECT record_change('asset', id, deleted IS NOT NULL) FROM asset WHERE row = new.asset;
END;
CREATE TEMP TRIGGER changed_format_gone AFTER DELETE ON main.format BEGIN
  SELECT record_change('asset', id, deleted IS NOT NULL) FROM asset WHERE row = old.asset;
END;
CREATE TEMP TRIGGER changed_content AFTER UPDATE ON main.content BEGIN
  SELECT record_change('asset', asset.id, asset.deleted IS NOT NULL)
  FROM format JOIN asset ON asset.row = format.asset
  WHERE format.row = new.format;
END;

CREATE TEMP TRIGGER changed_item_made AFTER INSERT ON main.item BEGIN
  SELECT record_change(new.kind, new.id, 0);
END;
CREATE TEMP TRIGGER changed_item AFTER UPDATE ON main.item BEGIN
  SELECT record_change(new.kind, new.id, 0);
END;
CREATE TEMP TRIGGER changed_item_gone AFTER DELETE ON main.item BEGIN
  SELECT record_change(old.kind, old.id, 1);
END;

CREATE TEMP TRIGGER changed_link_made AFTER INSERT ON main.link BEGIN
  SELECT record_change('asset', id, deleted IS NOT NULL) FROM asset WHERE row = new.asset;
  SELECT record_change(kind, id, 0) FROM item WHERE row = new.item;
END;
CREATE TEMP TRIGGER changed_link AFTER UPDATE ON main.link BEGIN
  SELECT record_change('asset', id, deleted IS NOT NULL) FROM asset WHERE row IN (old.asset, new.asset);
  SELECT record_change(kind, id, 0) FROM item WHERE row IN (old.item, new.item);
END;
CREATE TEMP TRIGGER changed_link_gone AFTER DELETE ON main.link BEGIN
  SELECT record_change('asset', id, deleted IS NOT NULL) FROM asset WHERE row = old.asset;
  SELECT record_change(kind, id, 0) FROM item WHERE row = old.item;
END;

CREATE TEMP TRIGGER changed_annotation_made AFTER INSERT ON main.annotation BEGIN
  SELECT record_change('asset', id, deleted IS NOT NULL) FROM asset WHERE row = new.asset;
  SELECT record_change(kind, id, 0) FROM item WHERE row = new.item;
  SELECT record_change('conversation', id, 0) FROM conversation WHERE row = new.conversation;
END;
CREATE TEMP TRIGGER changed_annotation AFTER UPDATE ON main.annotation BEGIN
  SELECT record_change('asset', id, deleted IS NOT NULL) FROM asset WHERE row IN (old.asset, new.asset);
  SELECT record_change(kind, id, 0) FROM item WHERE row IN (old.item, new.item);
  SELECT record_change('conversation', id, 0) FROM conversation
  WHERE row IN (old.conversation, new.conversation);
END;
CREATE TEMP TRIGGER changed_annotation_gone AFTER DELETE ON main.annotation BEGIN
  SELECT record_change('asset', id, deleted IS NOT NULL) FROM asset WHERE row = old.asset;
  SELECT record_change(kind, id, 0) FROM item WHERE row = old.item;
  SELECT record_change('conversation', id, 0) FROM conversation WHERE row = old.conversation;
END;

CREATE TEMP TRIGGER changed_activity_made AFTER INSERT ON main.activity BEGIN
  SELECT record_change('activity', new.id, 0);
END;
CREATE TEMP TRIGGER changed_activity AFTER UPDATE ON main.activity BEGIN
  SELECT record_change('activity', new.id, 0);
END;
CREATE TEMP TRIGGER changed_activity_gone AFTER DELETE ON main.activity BEGIN
  SELECT record_change('activity', old.id, 1);
END;

CREATE TEMP TRIGGER changed_conversation_made AFTER INSERT ON main.conversation BEGIN
  SELECT record_change('conversation', new.id, 0);
END;
CREATE TEMP TRIGGER changed_conversation AFTER UPDATE ON main.conversation BEGIN
  SELECT record_change('conversation', new.id, 0);
END;
CREATE TEMP TRIGGER changed_conversation_gone AFTER DELETE ON main.conversation BEGIN
  SELECT record_change('conversation', old.id, 1);
END;

CREATE TEMP TRIGGER changed_message_made AFTER INSERT ON main.conversation_message BEGIN
  SELECT record_change('conversation', id, 0) FROM conversation WHERE row = new.conversation;
END;
CREATE TEMP TRIGGER changed_message AFTER UPDATE ON main.conversation_message BEGIN
  SELECT record_change('conversation', id, 0) FROM conversation
  WHERE row IN (old.conversation, new.conversation);
END;
CREATE TEMP TRIGGER changed_message_gone AFTER DELETE ON main.conversation_message BEGIN
  SELECT record_change('conversation', id, 0) FROM conversation WHERE row = old.conversation;
END;

CREATE TEMP TRIGGER changed_conversation_asset_made AFTER INSERT ON main.conversation_asset BEGIN
  SELECT record_change('conversation', id, 0) FROM conversation WHERE row = new.conversation;
  SELECT record_change('asset', id, deleted IS NOT NULL) FROM asset WHERE row = new.asset;
END;
CREATE TEMP TRIGGER changed_conversation_asset_gone AFTER DELETE ON main.conversation_asset BEGIN
  SELECT record_change('conversation', id, 0) FROM conversation WHERE row = old.conversation;
  SELECT record_change('asset', id, deleted IS NOT NULL) FROM asset WHERE row = old.asset;
END;

CREATE TEMP TRIGGER changed_application_made AFTER INSERT ON main.application BEGIN
  SELECT record_change('application', new.id, 0);
END;
CREATE TEMP TRIGGER changed_application AFTER UPDATE ON main.application BEGIN
  SELECT record_change('application', new.id, 0);
END;
CREATE TEMP TRIGGER changed_application_gone AFTER DELETE ON main.application BEGIN
  SELECT record_change('application', old.id, 1);
END;

-- Their engagement: sessions, and what is counted a day.
CREATE TEMP TRIGGER changed_session_made AFTER INSERT ON main.session BEGIN
  SELECT record_change('application', id, 0) FROM application WHERE id = new.application;
END;
CREATE TEMP TRIGGER changed_session AFTER UPDATE ON main.session BEGIN
  SELECT record_change('application', id, 0) FROM application WHERE id = new.application;
END;
CREATE TEMP TRIGGER changed_usage_made AFTER INSERT ON main.usage_day BEGIN
  SELECT record_change('application', id, 0) FROM application WHERE id = new.application;
END;
CREATE TEMP TRIGGER changed_usage AFTER UPDATE ON main.usage_day BEGIN
  SELECT record_change('application', id, 0) FROM application WHERE id = new.application;
END;
