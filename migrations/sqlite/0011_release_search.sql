-- What visitors search releases by, in the order they are shown in: narrow rows, so that reading all of them takes milliseconds. Kept by
-- triggers, whatever writes the tables; a release that is not public has no row.
CREATE TABLE release_search (
    release_date TEXT NOT NULL,
    sort_key     TEXT NOT NULL,
    release_id   BLOB NOT NULL,
    artist_key   TEXT NOT NULL,
    -- In lower case, as far as A to Z go.
    catalog      TEXT NOT NULL,
    PRIMARY KEY (release_date DESC, sort_key, release_id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX release_search_by_release ON release_search (release_id);

CREATE VIEW searched_releases AS
    SELECT COALESCE(r.release_date, '') AS release_date, r.sort_key, r.id AS release_id, COALESCE(a.sort_key, '') AS artist_key,
        LOWER(COALESCE(r.catalog, '')) AS catalog
    FROM public_releases r LEFT JOIN artists a ON a.id = r.artist_id;

INSERT INTO release_search SELECT release_date, sort_key, release_id, artist_key, catalog FROM searched_releases;

CREATE TRIGGER release_search_inserted AFTER INSERT ON releases BEGIN
    INSERT INTO release_search SELECT release_date, sort_key, release_id, artist_key, catalog FROM searched_releases WHERE release_id = NEW.id;
END;

CREATE TRIGGER release_search_updated AFTER UPDATE OF sort_key, catalog, release_date, artist_id, state, deleted_at ON releases BEGIN
    DELETE FROM release_search WHERE release_id = OLD.id;
    INSERT INTO release_search SELECT release_date, sort_key, release_id, artist_key, catalog FROM searched_releases WHERE release_id = NEW.id;
END;

CREATE TRIGGER release_search_deleted AFTER DELETE ON releases BEGIN
    DELETE FROM release_search WHERE release_id = OLD.id;
END;

CREATE TRIGGER release_search_renamed AFTER UPDATE OF sort_key, deleted_at ON artists BEGIN
    UPDATE release_search SET artist_key = CASE WHEN NEW.deleted_at IS NULL THEN NEW.sort_key ELSE '' END
    WHERE release_id IN (SELECT id FROM releases WHERE artist_id = NEW.id);
END;
