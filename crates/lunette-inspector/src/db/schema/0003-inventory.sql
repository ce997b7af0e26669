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
