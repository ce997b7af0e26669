-- A checksum of each row with text in it. It is made by the writer (see `store::sums`); here of the rows that are there.

ALTER TABLE asset ADD COLUMN sum INTEGER;
UPDATE asset SET sum = row_sum(id, name, mechanism, created, document);
ALTER TABLE item ADD COLUMN sum INTEGER;
UPDATE item SET sum = row_sum(kind, id, key, name, created, document);
ALTER TABLE aside ADD COLUMN sum INTEGER;
UPDATE aside SET sum = row_sum(kind, id, created, document);
ALTER TABLE annotation ADD COLUMN sum INTEGER;
UPDATE annotation SET sum = row_sum(id, asset, item, conversation, person, anchor, kind, text, created, document);
ALTER TABLE conversation ADD COLUMN sum INTEGER;
UPDATE conversation SET sum = row_sum(id, name, created, document);
ALTER TABLE conversation_message ADD COLUMN sum INTEGER;
UPDATE conversation_message SET sum = row_sum(id, conversation, created, role, text, document);
