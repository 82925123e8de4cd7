-- Releases get a place of their own: states, slugs, tracks, private links; what is deleted waits in the trash; what was saved
-- stays as versions; imports can be undone.

-- draft: nobody but admins knows it. scheduled: goes out at goes_out_at. out: public.
ALTER TABLE releases ADD COLUMN state TEXT NOT NULL DEFAULT 'out' CHECK (state IN ('draft', 'scheduled', 'out'));
ALTER TABLE releases ADD COLUMN goes_out_at BIGINT CHECK ((goes_out_at IS NOT NULL) = (state = 'scheduled'));
-- When it went out first; what was there before counts as out since it was entered.
ALTER TABLE releases ADD COLUMN out_at BIGINT;
UPDATE releases SET out_at = created_at;
-- The last part of its present address; given when it goes out first.
ALTER TABLE releases ADD COLUMN slug TEXT COLLATE "C";
ALTER TABLE releases ADD COLUMN format TEXT;
-- JSON, as the rules' types write them.
ALTER TABLE releases ADD COLUMN tracks TEXT NOT NULL DEFAULT '[]';
ALTER TABLE releases ADD COLUMN credits TEXT NOT NULL DEFAULT '[]';
CREATE UNIQUE INDEX releases_by_slug ON releases (slug) WHERE slug IS NOT NULL;
CREATE INDEX releases_due ON releases (goes_out_at) WHERE state = 'scheduled';

-- Every slug that a release ever had leads to it. One of a release that is gone for good leads nowhere, and is given to no other.
CREATE TABLE slugs (
    slug       TEXT   COLLATE "C" NOT NULL PRIMARY KEY,
    release_id UUID   REFERENCES releases (id) ON DELETE SET NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX slugs_by_release ON slugs (release_id) WHERE release_id IS NOT NULL;

-- The address under which a release can be seen that is not out: found by the token's hash, shown to admins again from the sealed token.
CREATE TABLE private_links (
    release_id UUID   NOT NULL PRIMARY KEY REFERENCES releases (id) ON DELETE CASCADE,
    token_hash BYTEA  NOT NULL UNIQUE,
    sealed     BYTEA  NOT NULL,
    created_at BIGINT NOT NULL,
    created_by UUID   NOT NULL
);

-- The trash: rows that were deleted stay for 30 days (demos for a minute), and are shown to nobody but admins.
ALTER TABLE site_images DROP CONSTRAINT site_images_key_key;
ALTER TABLE artists ADD COLUMN deleted_at BIGINT;
ALTER TABLE artists ADD COLUMN deleted_by UUID;
CREATE INDEX artists_in_trash ON artists (deleted_at DESC, id DESC) WHERE deleted_at IS NOT NULL;
ALTER TABLE releases ADD COLUMN deleted_at BIGINT;
ALTER TABLE releases ADD COLUMN deleted_by UUID;
CREATE INDEX releases_in_trash ON releases (deleted_at DESC, id DESC) WHERE deleted_at IS NOT NULL;
ALTER TABLE store_products ADD COLUMN deleted_at BIGINT;
ALTER TABLE store_products ADD COLUMN deleted_by UUID;
CREATE INDEX store_products_in_trash ON store_products (deleted_at DESC, id DESC) WHERE deleted_at IS NOT NULL;
ALTER TABLE media_files ADD COLUMN deleted_at BIGINT;
ALTER TABLE media_files ADD COLUMN deleted_by UUID;
CREATE INDEX media_files_in_trash ON media_files (deleted_at DESC, id DESC) WHERE deleted_at IS NOT NULL;
ALTER TABLE demos ADD COLUMN deleted_at BIGINT;
ALTER TABLE demos ADD COLUMN deleted_by UUID;
CREATE INDEX demos_in_trash ON demos (deleted_at DESC, id DESC) WHERE deleted_at IS NOT NULL;
ALTER TABLE site_images ADD COLUMN deleted_at BIGINT;
ALTER TABLE site_images ADD COLUMN deleted_by UUID;
CREATE INDEX site_images_in_trash ON site_images (deleted_at DESC, id DESC) WHERE deleted_at IS NOT NULL;
-- One that is deleted leaves its place to another.
CREATE UNIQUE INDEX site_images_by_key ON site_images (key) WHERE deleted_at IS NULL;
-- Where a deleted file of the library was shown, as JSON, so that it can be put back.
ALTER TABLE media_files ADD COLUMN taken_from TEXT;

-- What the public sees. Every public read goes through these, so that none can show anything else.
CREATE VIEW public_artists AS SELECT * FROM artists WHERE deleted_at IS NULL;
CREATE VIEW public_releases AS
    SELECT r.id, r.title, r.sort_key, r.catalog, r.release_date, r.description, r.cover_image_url, r.spotify_url, r.soundcloud_url,
        r.apple_music_url, r.youtube_url, r.bandcamp_url, a.id AS artist_id, a.name AS artist_name, r.featured, r.created_at,
        r.updated_at, r.version, r.out_at, r.slug, r.format, r.tracks, r.credits
    FROM releases r LEFT JOIN artists a ON a.id = r.artist_id AND a.deleted_at IS NULL
    WHERE r.state = 'out' AND r.deleted_at IS NULL;
CREATE VIEW public_site_images AS SELECT * FROM site_images WHERE deleted_at IS NULL;

-- The lists' orders, without what they do not show.
DROP INDEX artists_by_name;
CREATE INDEX artists_by_name ON artists (sort_key, id) WHERE deleted_at IS NULL;
DROP INDEX releases_by_date;
CREATE INDEX releases_by_date ON releases (COALESCE(release_date, '') DESC, sort_key, id) WHERE state = 'out' AND deleted_at IS NULL;
DROP INDEX artists_by_entry;
CREATE INDEX artists_by_entry ON artists (created_at DESC, id DESC) WHERE deleted_at IS NULL;
DROP INDEX releases_by_entry;
CREATE INDEX releases_by_entry ON releases (created_at DESC, id DESC) WHERE deleted_at IS NULL;
-- Which rows show a file: asked for each file that is read.
CREATE INDEX artists_by_image ON artists (image_url) WHERE image_url IS NOT NULL;
CREATE INDEX releases_by_cover ON releases (cover_image_url) WHERE cover_image_url IS NOT NULL;
CREATE INDEX store_products_by_image ON store_products (image_url) WHERE image_url IS NOT NULL;
CREATE INDEX site_images_by_image ON site_images (image_url);
CREATE INDEX objects_by_small ON objects (small_key) WHERE small_key IS NOT NULL;

-- Every saved version of a row, as JSON of its fields: kinds are artist, release, product, text and site_image.
CREATE TABLE versions (
    kind     TEXT   NOT NULL,
    row_key  TEXT   COLLATE "C" NOT NULL,
    version  BIGINT NOT NULL,
    saved_at BIGINT NOT NULL,
    -- None where it was saved before versions were kept, or by the program itself.
    saved_by UUID,
    fields   TEXT   NOT NULL,
    PRIMARY KEY (kind, row_key, version)
);

-- Imports, and the rows that each wrote: the version it left them at, and the fields that it found, where there were any.
CREATE TABLE imports (
    id         UUID   NOT NULL PRIMARY KEY,
    file_name  TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    created_by UUID,
    undone_at  BIGINT
);
CREATE INDEX imports_by_date ON imports (created_at DESC, id DESC);
CREATE TABLE import_rows (
    import_id UUID   NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
    kind      TEXT   NOT NULL CHECK (kind IN ('artist', 'release')),
    row_id    UUID   NOT NULL,
    version   BIGINT NOT NULL,
    before    TEXT,
    PRIMARY KEY (import_id, kind, row_id)
);

-- What changed, as each audience sees it: a row that appears to visitors is inserted and one that disappears is deleted, whatever happened to
-- it in the table. Of what visitors cannot see, admins are told under names of its own: unpublished_releases and trash.
CREATE FUNCTION record_shown_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    old_row JSONB := CASE WHEN TG_OP <> 'INSERT' THEN to_jsonb(OLD) END;
    new_row JSONB := CASE WHEN TG_OP <> 'DELETE' THEN to_jsonb(NEW) END;
    was_shown BOOLEAN := old_row IS NOT NULL AND old_row ->> 'deleted_at' IS NULL AND COALESCE(old_row ->> 'state', 'out') = 'out';
    is_shown BOOLEAN := new_row IS NOT NULL AND new_row ->> 'deleted_at' IS NULL AND COALESCE(new_row ->> 'state', 'out') = 'out';
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
    IF COALESCE(old_row ->> 'state', 'out') <> 'out' OR COALESCE(new_row ->> 'state', 'out') <> 'out' THEN
        INSERT INTO events (table_name, op, row_key, created_at) VALUES ('unpublished_releases', lower(TG_OP), row_id, now);
    END IF;
    IF was_trashed <> is_trashed THEN
        INSERT INTO events (table_name, op, row_key, created_at)
        VALUES ('trash', CASE WHEN is_trashed THEN 'insert' ELSE 'delete' END, row_id, now);
    END IF;
    PERFORM pg_notify('deadwax_events', '');
    RETURN NULL;
END;
$$;

DROP TRIGGER artists_changed ON artists;
CREATE CONSTRAINT TRIGGER artists_changed AFTER INSERT OR UPDATE OR DELETE ON artists
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION record_shown_event('id');
DROP TRIGGER releases_changed ON releases;
CREATE CONSTRAINT TRIGGER releases_changed AFTER INSERT OR UPDATE OR DELETE ON releases
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION record_shown_event('id');
DROP TRIGGER store_products_changed ON store_products;
CREATE CONSTRAINT TRIGGER store_products_changed AFTER INSERT OR UPDATE OR DELETE ON store_products
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION record_shown_event('id');
DROP TRIGGER media_files_changed ON media_files;
CREATE CONSTRAINT TRIGGER media_files_changed AFTER INSERT OR UPDATE OR DELETE ON media_files
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION record_shown_event('id');
DROP TRIGGER demos_changed ON demos;
CREATE CONSTRAINT TRIGGER demos_changed AFTER INSERT OR UPDATE OR DELETE ON demos
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION record_shown_event('id');
DROP TRIGGER site_images_changed ON site_images;
CREATE CONSTRAINT TRIGGER site_images_changed AFTER INSERT OR UPDATE OR DELETE ON site_images
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION record_shown_event('key');
