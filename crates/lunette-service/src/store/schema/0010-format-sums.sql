-- A checksum of each format too, whose role and language no other checksum covers. It is made as those of version 7 are.
ALTER TABLE format ADD COLUMN sum INTEGER;
UPDATE format SET sum = row_sum(id, asset, place, role, generic, specific, origin, binary, size, sha256, created);
