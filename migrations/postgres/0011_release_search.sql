-- What visitors search releases by, in the order they are shown in: narrow rows, so that reading all of them takes milliseconds. Kept by
-- triggers, whatever writes the tables; a release that is not public has no row.
CREATE TABLE release_search (
    release_date TEXT COLLATE "C" NOT NULL,
    sort_key     TEXT COLLATE "C" NOT NULL,
    release_id   UUID NOT NULL PRIMARY KEY,
    artist_key   TEXT COLLATE "C" NOT NULL,
    -- In lower case, as far as A to Z go.
    catalog      TEXT COLLATE "C" NOT NULL
);
-- With all that is searched: a word that is rare is looked for in the index alone.
CREATE INDEX release_search_by_date ON release_search (release_date DESC, sort_key, release_id) INCLUDE (artist_key, catalog);

CREATE VIEW searched_releases AS
    SELECT COALESCE(r.release_date, '') AS release_date, r.sort_key, r.id AS release_id, COALESCE(a.sort_key, '') AS artist_key,
        LOWER(COALESCE(r.catalog, '') COLLATE "C") AS catalog
    FROM public_releases r LEFT JOIN artists a ON a.id = r.artist_id;

INSERT INTO release_search SELECT release_date, sort_key, release_id, artist_key, catalog FROM searched_releases;

CREATE FUNCTION keep_release_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        DELETE FROM release_search WHERE release_id = OLD.id;
    END IF;
    IF TG_OP <> 'DELETE' THEN
        -- Whoever renames the artist at the same time is waited for.
        PERFORM 1 FROM artists WHERE id = NEW.artist_id FOR SHARE;
        INSERT INTO release_search SELECT release_date, sort_key, release_id, artist_key, catalog FROM searched_releases WHERE release_id = NEW.id;
    END IF;
    RETURN NULL;
END;
$$;
CREATE TRIGGER release_search_inserted AFTER INSERT OR DELETE ON releases FOR EACH ROW EXECUTE FUNCTION keep_release_search();
CREATE TRIGGER release_search_updated AFTER UPDATE OF sort_key, catalog, release_date, artist_id, state, deleted_at ON releases
    FOR EACH ROW EXECUTE FUNCTION keep_release_search();

CREATE FUNCTION rename_in_release_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE release_search SET artist_key = CASE WHEN NEW.deleted_at IS NULL THEN NEW.sort_key ELSE '' END
    WHERE release_id IN (SELECT id FROM releases WHERE artist_id = NEW.id);
    RETURN NULL;
END;
$$;
CREATE TRIGGER release_search_renamed AFTER UPDATE OF sort_key, deleted_at ON artists
    FOR EACH ROW EXECUTE FUNCTION rename_in_release_search();
