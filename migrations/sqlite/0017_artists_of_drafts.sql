-- An artist who was entered with a draft is no more public than it: visitors see them once a release of theirs is out.
ALTER TABLE artists ADD COLUMN is_public BOOLEAN NOT NULL DEFAULT TRUE;

DROP VIEW public_artists;
CREATE VIEW public_artists AS SELECT * FROM artists WHERE deleted_at IS NULL AND is_public;

CREATE TRIGGER artists_published_with_release AFTER INSERT ON releases
WHEN NEW.state = 'out' AND NEW.deleted_at IS NULL AND NEW.artist_id IS NOT NULL BEGIN
    UPDATE artists SET is_public = TRUE WHERE id = NEW.artist_id AND NOT is_public;
END;

CREATE TRIGGER artists_published_by_release AFTER UPDATE OF state, deleted_at, artist_id ON releases
WHEN NEW.state = 'out' AND NEW.deleted_at IS NULL AND NEW.artist_id IS NOT NULL BEGIN
    UPDATE artists SET is_public = TRUE WHERE id = NEW.artist_id AND NOT is_public;
END;

-- What changed, as each audience sees it. Of artists that visitors do not see yet, admins are told under a name of its own.
DROP TRIGGER artists_inserted;
DROP TRIGGER artists_updated;
DROP TRIGGER artists_shown;
DROP TRIGGER artists_hidden;
DROP TRIGGER artists_deleted;

CREATE TRIGGER artists_inserted AFTER INSERT ON artists WHEN NEW.deleted_at IS NULL AND NEW.is_public BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('artists', 'insert', lower(hex(NEW.id)), unixepoch() * 1000000);
END;

CREATE TRIGGER artists_updated AFTER UPDATE ON artists WHEN (OLD.deleted_at IS NULL AND OLD.is_public) AND (NEW.deleted_at IS NULL AND NEW.is_public) BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('artists', 'update', lower(hex(NEW.id)), unixepoch() * 1000000);
END;

CREATE TRIGGER artists_shown AFTER UPDATE ON artists WHEN NOT (OLD.deleted_at IS NULL AND OLD.is_public) AND (NEW.deleted_at IS NULL AND NEW.is_public) BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('artists', 'insert', lower(hex(NEW.id)), unixepoch() * 1000000);
END;

CREATE TRIGGER artists_hidden AFTER UPDATE ON artists WHEN (OLD.deleted_at IS NULL AND OLD.is_public) AND NOT (NEW.deleted_at IS NULL AND NEW.is_public) BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('artists', 'delete', lower(hex(NEW.id)), unixepoch() * 1000000);
END;

CREATE TRIGGER artists_deleted AFTER DELETE ON artists WHEN OLD.deleted_at IS NULL AND OLD.is_public BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('artists', 'delete', lower(hex(OLD.id)), unixepoch() * 1000000);
END;

CREATE TRIGGER unpublished_artists_inserted AFTER INSERT ON artists WHEN NOT NEW.is_public BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('unpublished_artists', 'insert', lower(hex(NEW.id)), unixepoch() * 1000000);
END;

CREATE TRIGGER unpublished_artists_updated AFTER UPDATE ON artists WHEN NOT NEW.is_public OR NOT OLD.is_public BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('unpublished_artists', 'update', lower(hex(NEW.id)), unixepoch() * 1000000);
END;

CREATE TRIGGER unpublished_artists_deleted AFTER DELETE ON artists WHEN NOT OLD.is_public BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('unpublished_artists', 'delete', lower(hex(OLD.id)), unixepoch() * 1000000);
END;
