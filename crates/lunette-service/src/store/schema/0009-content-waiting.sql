-- Text content of large batches that is to be indexed after the commit that stored it. The writer takes it from here in
-- steps when it has nothing else to do, and goes on after a restart.
CREATE TABLE search_content_waiting (format INTEGER PRIMARY KEY) STRICT;
