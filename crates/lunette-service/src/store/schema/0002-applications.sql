-- Tracked applications, their sessions, and what is counted of their use.
-- Times are microseconds since 1970 UTC. Usage names applications by id, tracked or not: one may be registered later.

-- Documents are as they were registered. The service's own application has own = 1.
CREATE TABLE application (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL COLLATE NOCASE UNIQUE,
  own INTEGER NOT NULL DEFAULT 0,
  document TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX application_own ON application (own) WHERE own = 1;

-- The application that last registered with a User-Agent.
CREATE TABLE registration (
  user_agent TEXT PRIMARY KEY,
  application INTEGER NOT NULL REFERENCES application (row) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- Changes of version, in the order they became known.
CREATE TABLE application_version (
  row INTEGER PRIMARY KEY,
  application TEXT NOT NULL COLLATE NOCASE,
  at INTEGER NOT NULL,
  previous TEXT,
  current TEXT NOT NULL
) STRICT;
CREATE INDEX application_version_by_application ON application_version (application, row);

CREATE TABLE session (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL COLLATE NOCASE UNIQUE,
  application TEXT COLLATE NOCASE,
  opened INTEGER NOT NULL,
  closed INTEGER
) STRICT;
CREATE INDEX session_by_application ON session (application, opened);
CREATE INDEX session_open ON session (row) WHERE closed IS NULL;

-- Usage events as they came.
CREATE TABLE usage (
  row INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('interaction', 'keyboard', 'install', 'update')),
  application TEXT COLLATE NOCASE,
  at INTEGER NOT NULL,
  document TEXT NOT NULL
) STRICT;

-- How often an application was used on a UTC day, so that reading it does not count every event.
CREATE TABLE usage_day (
  application TEXT NOT NULL COLLATE NOCASE,
  day TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('session', 'interaction', 'keyboard', 'install', 'update')),
  events INTEGER NOT NULL,
  last INTEGER NOT NULL,
  PRIMARY KEY (application, day, kind)
) STRICT, WITHOUT ROWID;
