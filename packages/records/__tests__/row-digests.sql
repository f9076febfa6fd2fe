-- As versions up to 0011 left each table, here one of them.
CREATE TABLE digested_tables (id integer PRIMARY KEY, name text NOT NULL UNIQUE, columns text NOT NULL);
CREATE TABLE row_digests (kind integer NOT NULL, row integer NOT NULL, digest integer, PRIMARY KEY (kind, row)) WITHOUT ROWID;
CREATE INDEX row_digests_unmade ON row_digests (kind, row) WHERE digest IS NULL;
CREATE TRIGGER "settings_INSERT_digest" AFTER INSERT ON "settings" BEGIN
  INSERT INTO row_digests (kind, row) VALUES (1, new.rowid) ON CONFLICT (kind, row) DO UPDATE SET digest = NULL; END;
CREATE TRIGGER "settings_DELETE_digest" AFTER DELETE ON "settings" BEGIN
  DELETE FROM row_digests WHERE kind = 1 AND row = old.rowid; END;
INSERT INTO digested_tables (name, columns) VALUES ('settings', '["name","value"]');
INSERT INTO row_digests (kind, row) SELECT 1, rowid FROM settings;
ALTER TABLE annotations RENAME COLUMN verdict_details TO judgement;
ALTER TABLE datasets DROP COLUMN indexed_fields;
ALTER TABLE datasets DROP COLUMN strict_time;
DELETE FROM kysely_migration WHERE name >= '0013-no-row-digests';
