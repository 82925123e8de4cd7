-- An artist who was entered with a draft is no more public than it: visitors see them once a release of theirs is out.
ALTER TABLE artists ADD COLUMN is_public BOOLEAN NOT NULL DEFAULT TRUE;

DROP VIEW public_artists;
CREATE VIEW public_artists AS SELECT * FROM artists WHERE deleted_at IS NULL AND is_public;

CREATE FUNCTION publish_artist() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE artists SET is_public = TRUE WHERE id = NEW.artist_id AND NOT is_public;
    RETURN NULL;
END;
$$;
CREATE TRIGGER artists_published_with_release AFTER INSERT ON releases FOR EACH ROW
    WHEN (NEW.state = 'out' AND NEW.deleted_at IS NULL AND NEW.artist_id IS NOT NULL) EXECUTE FUNCTION publish_artist();
CREATE TRIGGER artists_published_by_release AFTER UPDATE OF state, deleted_at, artist_id ON releases FOR EACH ROW
    WHEN (NEW.state = 'out' AND NEW.deleted_at IS NULL AND NEW.artist_id IS NOT NULL) EXECUTE FUNCTION publish_artist();

-- What changed, as each audience sees it. Of artists that visitors do not see yet, admins are told under a name of its own.
CREATE OR REPLACE FUNCTION record_shown_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    old_row JSONB := CASE WHEN TG_OP <> 'INSERT' THEN to_jsonb(OLD) END;
    new_row JSONB := CASE WHEN TG_OP <> 'DELETE' THEN to_jsonb(NEW) END;
    was_published BOOLEAN := COALESCE(old_row ->> 'state', 'out') = 'out' AND COALESCE((old_row ->> 'is_public')::BOOLEAN, TRUE);
    is_published BOOLEAN := COALESCE(new_row ->> 'state', 'out') = 'out' AND COALESCE((new_row ->> 'is_public')::BOOLEAN, TRUE);
    was_shown BOOLEAN := old_row IS NOT NULL AND old_row ->> 'deleted_at' IS NULL AND was_published;
    is_shown BOOLEAN := new_row IS NOT NULL AND new_row ->> 'deleted_at' IS NULL AND is_published;
    was_trashed BOOLEAN := old_row IS NOT NULL AND old_row ->> 'deleted_at' IS NOT NULL;
    is_trashed BOOLEAN := new_row IS NOT NULL AND new_row ->> 'deleted_at' IS NOT NULL;
    row_key TEXT := COALESCE(new_row, old_row) ->> TG_ARGV[0];
    row_id TEXT := COALESCE(new_row, old_row) ->> 'id';
    now BIGINT := (extract(epoch FROM clock_timestamp()) * 1000000)::BIGINT;
BEGIN
    PERFORM pg_advisory_xact_lock(4040404);
    IF was_shown OR is_shown THEN
        INSERT INTO events (table_name, op, row_key, created_at)
        VALUES (TG_TABLE_NAME, CASE WHEN NOT was_shown THEN 'insert' WHEN NOT is_shown THEN 'delete' ELSE 'update' END, row_key, now);
    END IF;
    IF NOT (was_published AND is_published) THEN
        INSERT INTO events (table_name, op, row_key, created_at) VALUES ('unpublished_' || TG_TABLE_NAME, lower(TG_OP), row_id, now);
    END IF;
    IF was_trashed <> is_trashed THEN
        INSERT INTO events (table_name, op, row_key, created_at)
        VALUES ('trash', CASE WHEN is_trashed THEN 'insert' ELSE 'delete' END, row_id, now);
    END IF;
    PERFORM pg_notify('deadwax_events', '');
    RETURN NULL;
END;
$$;
