-- What was imported from the libraries of other programs: which asset an item became, and what was imported of it.
CREATE TABLE source_item (
  id INTEGER PRIMARY KEY AUTOINCREMENT, connection TEXT NOT NULL, source TEXT NOT NULL, item TEXT NOT NULL,
  asset TEXT NOT NULL, hash TEXT NOT NULL, seal BLOB NOT NULL, UNIQUE (connection, source, item)
);
