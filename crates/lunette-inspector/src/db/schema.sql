-- Every table ends with a seal: a checksum over the columns before it, by which damaged rows are told from whole ones.

-- The settings, a row for each field, or for each entry of a field that is an object or a list.
CREATE TABLE setting (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, value TEXT NOT NULL, seal BLOB NOT NULL
);

-- What was typed and not applied.
CREATE TABLE draft (
  id INTEGER PRIMARY KEY AUTOINCREMENT, connection TEXT NOT NULL, key TEXT NOT NULL, draft TEXT NOT NULL,
  seal BLOB NOT NULL, UNIQUE (connection, key)
);

-- The history: the beginnings and ends of steps, in their order.
CREATE TABLE step_line (
  id INTEGER PRIMARY KEY AUTOINCREMENT, connection TEXT NOT NULL, line TEXT NOT NULL, seal BLOB NOT NULL
);
CREATE INDEX step_line_connection ON step_line (connection, id);

-- The ledgers of bulk runs: what each holds, in its order. The first line of a run is its header.
CREATE TABLE run_line (
  id INTEGER PRIMARY KEY AUTOINCREMENT, connection TEXT NOT NULL, run TEXT NOT NULL, line TEXT NOT NULL,
  seal BLOB NOT NULL
);
CREATE INDEX run_line_run ON run_line (run, id);
CREATE INDEX run_line_connection ON run_line (connection, run);

-- The files of earlier versions that were read in; dropped in version 4.
CREATE TABLE imported (
  id INTEGER PRIMARY KEY AUTOINCREMENT, source TEXT NOT NULL UNIQUE, seal BLOB NOT NULL
);

-- What was imported from the libraries of other programs: which asset an item became, and what was imported of it.
CREATE TABLE source_item (
  id INTEGER PRIMARY KEY AUTOINCREMENT, connection TEXT NOT NULL, source TEXT NOT NULL, item TEXT NOT NULL,
  asset TEXT NOT NULL, hash TEXT NOT NULL, seal BLOB NOT NULL, UNIQUE (connection, source, item)
);

-- What the lists of applications were when they were last read, how they changed, and how much applications were used.
CREATE TABLE inventory_known (
  id INTEGER PRIMARY KEY AUTOINCREMENT, connection TEXT NOT NULL, source TEXT NOT NULL, item TEXT NOT NULL,
  record TEXT NOT NULL, seal BLOB NOT NULL, UNIQUE (connection, source, item)
);
CREATE TABLE inventory_change (
  id INTEGER PRIMARY KEY AUTOINCREMENT, connection TEXT NOT NULL, change TEXT NOT NULL, seal BLOB NOT NULL
);
CREATE INDEX inventory_change_connection ON inventory_change (connection);
CREATE TABLE inventory_day (
  id INTEGER PRIMARY KEY AUTOINCREMENT, connection TEXT NOT NULL, day TEXT NOT NULL, counters TEXT NOT NULL,
  seal BLOB NOT NULL, UNIQUE (connection, day)
);
