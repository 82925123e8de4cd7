-- Imports of subscribers, and what each of them added, so that it can be undone.

CREATE TABLE subscriber_imports (
    id          UUID   NOT NULL PRIMARY KEY,
    file_name   TEXT   NOT NULL,
    created_at  BIGINT NOT NULL,
    created_by  UUID,
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
ALTER TABLE newsletter_subscriptions ADD COLUMN added_by UUID, ADD COLUMN ended_by UUID;
CREATE INDEX newsletter_subscriptions_added ON newsletter_subscriptions (added_by) WHERE added_by IS NOT NULL;
CREATE INDEX newsletter_subscriptions_ended ON newsletter_subscriptions (ended_by) WHERE ended_by IS NOT NULL;

-- The import that added it; NULL for those of the people themselves.
ALTER TABLE suppressions ADD COLUMN added_by UUID;
CREATE INDEX suppressions_added ON suppressions (added_by) WHERE added_by IS NOT NULL;

CREATE FUNCTION record_subscriber_import_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(4040404);
    INSERT INTO events (table_name, op, row_key, created_at)
    VALUES ('newsletter_subscriptions', 'update', 'imports', (extract(epoch FROM clock_timestamp()) * 1000000)::BIGINT);
    PERFORM pg_notify('deadwax_events', '');
    RETURN NULL;
END;
$$;
CREATE CONSTRAINT TRIGGER subscriber_imports_changed AFTER INSERT OR UPDATE ON subscriber_imports
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION record_subscriber_import_event();
