-- Keep the sum of each row right: the writer's connection has these. A row that is written in any way is summed anew,
-- unless it comes with its sum: of many new rows that saves writing each of them twice.

CREATE TEMP TRIGGER summed_asset_made AFTER INSERT ON main.asset
WHEN new.sum IS NOT row_sum(new.id, new.name, new.mechanism, new.created, new.document) BEGIN
  UPDATE asset SET sum = row_sum(new.id, new.name, new.mechanism, new.created, new.document) WHERE row =
    new.row;
END;
CREATE TEMP TRIGGER summed_asset AFTER UPDATE OF id, name, mechanism, created, document ON main.asset BEGIN
  UPDATE asset SET sum = row_sum(new.id, new.name, new.mechanism, new.created, new.document) WHERE row =
    new.row;
END;

CREATE TEMP TRIGGER summed_format_made AFTER INSERT ON main.format
WHEN new.sum IS NOT row_sum(new.id, new.asset, new.place, new.role, new.generic, new.specific, new.origin,
  new.binary, new.size, new.sha256, new.created) BEGIN
  UPDATE format SET sum = row_sum(new.id, new.asset, new.place, new.role, new.generic, new.specific,
    new.origin, new.binary, new.size, new.sha256, new.created) WHERE row = new.row;
END;
CREATE TEMP TRIGGER summed_format AFTER UPDATE OF id, asset, place, role, generic, specific, origin, binary, size, sha256, created
  ON main.format BEGIN
  UPDATE format SET sum = row_sum(new.id, new.asset, new.place, new.role, new.generic, new.specific,
    new.origin, new.binary, new.size, new.sha256, new.created) WHERE row = new.row;
END;

CREATE TEMP TRIGGER summed_item_made AFTER INSERT ON main.item BEGIN
  UPDATE item SET sum = row_sum(new.kind, new.id, new.key, new.name, new.created, new.document) WHERE row =
    new.row;
END;
CREATE TEMP TRIGGER summed_item AFTER UPDATE OF kind, id, key, name, created, document ON main.item BEGIN
  UPDATE item SET sum = row_sum(new.kind, new.id, new.key, new.name, new.created, new.document) WHERE row =
    new.row;
END;

CREATE TEMP TRIGGER summed_aside_made AFTER INSERT ON main.aside BEGIN
  UPDATE aside SET sum = row_sum(new.kind, new.id, new.created, new.document) WHERE row = new.row;
END;
CREATE TEMP TRIGGER summed_aside AFTER UPDATE OF kind, id, created, document ON main.aside BEGIN
  UPDATE aside SET sum = row_sum(new.kind, new.id, new.created, new.document) WHERE row = new.row;
END;

CREATE TEMP TRIGGER summed_annotation_made AFTER INSERT ON main.annotation
WHEN new.sum IS NOT row_sum(new.id, new.asset, new.item, new.conversation, new.person, new.anchor, new.kind, new.text,
  new.created, new.document) BEGIN
  UPDATE annotation SET sum = row_sum(new.id, new.asset, new.item, new.conversation, new.person, new.anchor,
    new.kind, new.text, new.created, new.document) WHERE row = new.row;
END;
CREATE TEMP TRIGGER summed_annotation AFTER UPDATE OF id, asset, item, conversation, person, anchor, kind, text,
  created, document ON main.annotation BEGIN
  UPDATE annotation SET sum = row_sum(new.id, new.asset, new.item, new.conversation, new.person, new.anchor,
    new.kind, new.text, new.created, new.document) WHERE row = new.row;
END;

CREATE TEMP TRIGGER summed_conversation_made AFTER INSERT ON main.conversation BEGIN
  UPDATE conversation SET sum = row_sum(new.id, new.name, new.created, new.document) WHERE row = new.row;
END;
CREATE TEMP TRIGGER summed_conversation AFTER UPDATE OF id, name, created, document ON main.conversation BEGIN
  UPDATE conversation SET sum = row_sum(new.id, new.name, new.created, new.document) WHERE row = new.row;
END;

CREATE TEMP TRIGGER summed_conversation_message_made AFTER INSERT ON main.conversation_message BEGIN
  UPDATE conversation_message SET sum = row_sum(new.id, new.conversation, new.created, new.role, new.text,
    new.document) WHERE row = new.row;
END;
CREATE TEMP TRIGGER summed_conversation_message AFTER UPDATE OF id, conversation, created, role, text, document ON
  main.conversation_message BEGIN
  UPDATE conversation_message SET sum = row_sum(new.id, new.conversation, new.created, new.role, new.text,
    new.document) WHERE row = new.row;
END;
