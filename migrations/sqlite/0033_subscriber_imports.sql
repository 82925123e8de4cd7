-- Imports of subscribers, and what each of them added, so that it can be undone.

CREATE TABLE subscriber_imports (
    id          BLOB   NOT NULL PRIMARY KEY,
    file_name   TEXT   NOT NULL,
    created_at  BIGINT NOT NULL,
    created_by  BLOB,
    confirmed   BIGINT NOT NULL DEFAULT 0,
    unconfirmed BIGINT NOT NULL DEFAULT 0,
    ended       BIGINT NOT NULL DEFAULT 0,
    suppressed  BIGINT NOT NULL DEFAULT 0,
    -- NULL: it was interrupted, or is running.
    finished_at BIGINT,
    undone_at   BIGINT
);
CREATE INDEX subscriber_imports_by_date ON subscriber_imports (created_at DESC, id);

-- The import that added the row or ended it; NULL once the person has acted.
ALTER TABLE newsletter_subscriptions ADD COLUMN added_by BLOB;
ALTER TABLE newsletter_subscriptions ADD COLUMN ended_by BLOB;
CREATE INDEX newsletter_subscriptions_added ON newsletter_subscriptions (added_by) WHERE added_by IS NOT NULL;
CREATE INDEX newsletter_subscriptions_ended ON newsletter_subscriptions (ended_by) WHERE ended_by IS NOT NULL;

-- The import that added it; NULL for those of the people themselves.
ALTER TABLE suppressions ADD COLUMN added_by BLOB;
CREATE INDEX suppressions_added ON suppressions (added_by) WHERE added_by IS NOT NULL;

CREATE TRIGGER subscriber_imports_inserted AFTER INSERT ON subscriber_imports BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('newsletter_subscriptions', 'update', 'imports', unixepoch() * 1000000);
END;
CREATE TRIGGER subscriber_imports_updated AFTER UPDATE ON subscriber_imports BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('newsletter_subscriptions', 'update', 'imports', unixepoch() * 1000000);
END;
