-- Releases get a place of their own: states, slugs, tracks, private links; what is deleted waits in the trash; what was saved
-- stays as versions; imports can be undone.

-- draft: nobody but admins knows it. scheduled: goes out at goes_out_at. out: public.
ALTER TABLE releases ADD COLUMN state TEXT NOT NULL DEFAULT 'out' CHECK (state IN ('draft', 'scheduled', 'out'));
ALTER TABLE releases ADD COLUMN goes_out_at BIGINT CHECK ((goes_out_at IS NOT NULL) = (state = 'scheduled'));
-- When it went out first; what was there before counts as out since it was entered.
ALTER TABLE releases ADD COLUMN out_at BIGINT;
UPDATE releases SET out_at = created_at;
-- The last part of its present address; given when it goes out first.
ALTER TABLE releases ADD COLUMN slug TEXT;
ALTER TABLE releases ADD COLUMN format TEXT;
-- JSON, as the rules' types write them.
ALTER TABLE releases ADD COLUMN tracks TEXT NOT NULL DEFAULT '[]';
ALTER TABLE releases ADD COLUMN credits TEXT NOT NULL DEFAULT '[]';
CREATE UNIQUE INDEX releases_by_slug ON releases (slug) WHERE slug IS NOT NULL;
CREATE INDEX releases_due ON releases (goes_out_at) WHERE state = 'scheduled';

-- Every slug that a release ever had leads to it. One of a release that is gone for good leads nowhere, and is given to no other.
CREATE TABLE slugs (
    slug       TEXT   NOT NULL PRIMARY KEY,
    release_id BLOB   REFERENCES releases (id) ON DELETE SET NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX slugs_by_release ON slugs (release_id) WHERE release_id IS NOT NULL;

-- The address under which a release can be seen that is not out: found by the token's hash, shown to admins again from the sealed token.
CREATE TABLE private_links (
    release_id BLOB   NOT NULL PRIMARY KEY REFERENCES releases (id) ON DELETE CASCADE,
    token_hash BLOB   NOT NULL UNIQUE,
    sealed     BLOB   NOT NULL,
    created_at BIGINT NOT NULL,
    created_by BLOB   NOT NULL
);

-- The trash: rows that were deleted stay for 30 days (demos for a minute), and are shown to nobody but admins.
CREATE TABLE site_images_new (
    id          BLOB   NOT NULL PRIMARY KEY,
    key         TEXT   NOT NULL,
    image_url   TEXT   NOT NULL,
    alt_text    TEXT,
    description TEXT,
    created_at  BIGINT NOT NULL DEFAULT 0,
    updated_at  BIGINT NOT NULL DEFAULT 0,
    version     BIGINT NOT NULL DEFAULT 1
);
INSERT INTO site_images_new SELECT id, key, image_url, alt_text, description, created_at, updated_at, version FROM site_images;
DROP TABLE site_images;
ALTER TABLE site_images_new RENAME TO site_images;
ALTER TABLE artists ADD COLUMN deleted_at BIGINT;
ALTER TABLE artists ADD COLUMN deleted_by BLOB;
CREATE INDEX artists_in_trash ON artists (deleted_at DESC, id DESC) WHERE deleted_at IS NOT NULL;
ALTER TABLE releases ADD COLUMN deleted_at BIGINT;
ALTER TABLE releases ADD COLUMN deleted_by BLOB;
CREATE INDEX releases_in_trash ON releases (deleted_at DESC, id DESC) WHERE deleted_at IS NOT NULL;
ALTER TABLE store_products ADD COLUMN deleted_at BIGINT;
ALTER TABLE store_products ADD COLUMN deleted_by BLOB;
CREATE INDEX store_products_in_trash ON store_products (deleted_at DESC, id DESC) WHERE deleted_at IS NOT NULL;
ALTER TABLE media_files ADD COLUMN deleted_at BIGINT;
ALTER TABLE media_files ADD COLUMN deleted_by BLOB;
CREATE INDEX media_files_in_trash ON media_files (deleted_at DESC, id DESC) WHERE deleted_at IS NOT NULL;
ALTER TABLE demos ADD COLUMN deleted_at BIGINT;
ALTER TABLE demos ADD COLUMN deleted_by BLOB;
CREATE INDEX demos_in_trash ON demos (deleted_at DESC, id DESC) WHERE deleted_at IS NOT NULL;
ALTER TABLE site_images ADD COLUMN deleted_at BIGINT;
ALTER TABLE site_images ADD COLUMN deleted_by BLOB;
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
    row_key  TEXT   NOT NULL,
    version  BIGINT NOT NULL,
    saved_at BIGINT NOT NULL,
    -- None where it was saved before versions were kept, or by the program itself.
    saved_by BLOB,
    fields   TEXT   NOT NULL,
    PRIMARY KEY (kind, row_key, version)
);

-- Imports, and the rows that each wrote: the version it left them at, and the fields that it found, where there were any.
CREATE TABLE imports (
    id         BLOB   NOT NULL PRIMARY KEY,
    file_name  TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    created_by BLOB,
    undone_at  BIGINT
);
CREATE INDEX imports_by_date ON imports (created_at DESC, id DESC);
CREATE TABLE import_rows (
    import_id BLOB   NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
    kind      TEXT   NOT NULL CHECK (kind IN ('artist', 'release')),
    row_id    BLOB   NOT NULL,
    version   BIGINT NOT NULL,
    before    TEXT,
    PRIMARY KEY (import_id, kind, row_id)
);

-- What changed, as each audience sees it: a row that appears to visitors is inserted and one that disappears is deleted, whatever happened to
-- it in the table. Of what visitors cannot see, admins are told under names of its own: unpublished_releases and trash.
DROP TRIGGER artists_inserted;
DROP TRIGGER artists_updated;
DROP TRIGGER artists_deleted;

CREATE TRIGGER artists_inserted AFTER INSERT ON artists WHEN NEW.deleted_at IS NULL BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('artists', 'insert', lower(hex(NEW.id)), unixepoch() * 1000000);
END;

CREATE TRIGGER artists_updated AFTER UPDATE ON artists WHEN (OLD.deleted_at IS NULL) AND (NEW.deleted_at IS NULL) BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('artists', 'update', lower(hex(NEW.id)), unixepoch() * 1000000);
END;

CREATE TRIGGER artists_shown AFTER UPDATE ON artists WHEN NOT (OLD.deleted_at IS NULL) AND (NEW.deleted_at IS NULL) BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('artists', 'insert', lower(hex(NEW.id)), unixepoch() * 1000000);
END;

CREATE TRIGGER artists_hidden AFTER UPDATE ON artists WHEN (OLD.deleted_at IS NULL) AND NOT (NEW.deleted_at IS NULL) BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('artists', 'delete', lower(hex(NEW.id)), unixepoch() * 1000000);
END;

CREATE TRIGGER artists_deleted AFTER DELETE ON artists WHEN OLD.deleted_at IS NULL BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('artists', 'delete', lower(hex(OLD.id)), unixepoch() * 1000000);
END;

CREATE TRIGGER artists_trashed AFTER UPDATE ON artists WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('trash', 'insert', lower(hex(NEW.id)), unixepoch() * 1000000);
END;

CREATE TRIGGER artists_restored AFTER UPDATE ON artists WHEN OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS NULL BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('trash', 'delete', lower(hex(NEW.id)), unixepoch() * 1000000);
END;

CREATE TRIGGER artists_removed AFTER DELETE ON artists WHEN OLD.deleted_at IS NOT NULL BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('trash', 'delete', lower(hex(OLD.id)), unixepoch() * 1000000);
END;

DROP TRIGGER releases_inserted;
DROP TRIGGER releases_updated;
DROP TRIGGER releases_deleted;

CREATE TRIGGER releases_inserted AFTER INSERT ON releases WHEN NEW.deleted_at IS NULL AND NEW.state = 'out' BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('releases', 'insert', lower(hex(NEW.id)), unixepoch() * 1000000);
END;

CREATE TRIGGER releases_updated AFTER UPDATE ON releases WHEN (OLD.deleted_at IS NULL AND OLD.state = 'out') AND (NEW.deleted_at IS NULL AND NEW.state = 'out') BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('releases', 'update', lower(hex(NEW.id)), unixepoch() * 1000000);
END;

CREATE TRIGGER releases_shown AFTER UPDATE ON releases WHEN NOT (OLD.deleted_at IS NULL AND OLD.state = 'out') AND (NEW.deleted_at IS NULL AND NEW.state = 'out') BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('releases', 'insert', lower(hex(NEW.id)), unixepoch() * 1000000);
END;

CREATE TRIGGER releases_hidden AFTER UPDATE ON releases WHEN (OLD.deleted_at IS NULL AND OLD.state = 'out') AND NOT (NEW.deleted_at IS NULL AND NEW.state = 'out') BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('releases', 'delete', lower(hex(NEW.id)), unixepoch() * 1000000);
END;

CREATE TRIGGER releases_deleted AFTER DELETE ON releases WHEN OLD.deleted_at IS NULL AND OLD.state = 'out' BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('releases', 'delete', lower(hex(OLD.id)), unixepoch() * 1000000);
END;

CREATE TRIGGER releases_trashed AFTER UPDATE ON releases WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('trash', 'insert', lower(hex(NEW.id)), unixepoch() * 1000000);
END;

CREATE TRIGGER releases_restored AFTER UPDATE ON releases WHEN OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS NULL BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('trash', 'delete', lower(hex(NEW.id)), unixepoch() * 1000000);
END;

CREATE TRIGGER releases_removed AFTER DELETE ON releases WHEN OLD.deleted_at IS NOT NULL BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('trash', 'delete', lower(hex(OLD.id)), unixepoch() * 1000000);
END;

CREATE TRIGGER unpublished_releases_inserted AFTER INSERT ON releases WHEN NEW.state <> 'out' BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('unpublished_releases', 'insert', lower(hex(NEW.id)), unixepoch() * 1000000);
END;

CREATE TRIGGER unpublished_releases_updated AFTER UPDATE ON releases WHEN NEW.state <> 'out' OR OLD.state <> 'out' BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('unpublished_releases', 'update', lower(hex(NEW.id)), unixepoch() * 1000000);
END;

CREATE TRIGGER unpublished_releases_deleted AFTER DELETE ON releases WHEN OLD.state <> 'out' BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('unpublished_releases', 'delete', lower(hex(OLD.id)), unixepoch() * 1000000);
END;

DROP TRIGGER store_products_inserted;
DROP TRIGGER store_products_updated;
DROP TRIGGER store_products_deleted;

CREATE TRIGGER store_products_inserted AFTER INSERT ON store_products WHEN NEW.deleted_at IS NULL BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('store_products', 'insert', lower(hex(NEW.id)), unixepoch() * 1000000);
END;

CREATE TRIGGER store_products_updated AFTER UPDATE ON store_products WHEN (OLD.deleted_at IS NULL) AND (NEW.deleted_at IS NULL) BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('store_products', 'update', lower(hex(NEW.id)), unixepoch() * 1000000);
END;

CREATE TRIGGER store_products_shown AFTER UPDATE ON store_products WHEN NOT (OLD.deleted_at IS NULL) AND (NEW.deleted_at IS NULL) BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('store_products', 'insert', lower(hex(NEW.id)), unixepoch() * 1000000);
END;

CREATE TRIGGER store_products_hidden AFTER UPDATE ON store_products WHEN (OLD.deleted_at IS NULL) AND NOT (NEW.deleted_at IS NULL) BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('store_products', 'delete', lower(hex(NEW.id)), unixepoch() * 1000000);
END;

CREATE TRIGGER store_products_deleted AFTER DELETE ON store_products WHEN OLD.deleted_at IS NULL BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('store_products', 'delete', lower(hex(OLD.id)), unixepoch() * 1000000);
END;

CREATE TRIGGER store_products_trashed AFTER UPDATE ON store_products WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('trash', 'insert', lower(hex(NEW.id)), unixepoch() * 1000000);
END;

CREATE TRIGGER store_products_restored AFTER UPDATE ON store_products WHEN OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS NULL BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('trash', 'delete', lower(hex(NEW.id)), unixepoch() * 1000000);
END;

CREATE TRIGGER store_products_removed AFTER DELETE ON store_products WHEN OLD.deleted_at IS NOT NULL BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('trash', 'delete', lower(hex(OLD.id)), unixepoch() * 1000000);
END;

DROP TRIGGER media_files_inserted;
DROP TRIGGER media_files_updated;
DROP TRIGGER media_files_deleted;

CREATE TRIGGER media_files_inserted AFTER INSERT ON media_files WHEN NEW.deleted_at IS NULL BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('media_files', 'insert', lower(hex(NEW.id)), unixepoch() * 1000000);
END;

CREATE TRIGGER media_files_updated AFTER UPDATE ON media_files WHEN (OLD.deleted_at IS NULL) AND (NEW.deleted_at IS NULL) BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('media_files', 'update', lower(hex(NEW.id)), unixepoch() * 1000000);
END;

CREATE TRIGGER media_files_shown AFTER UPDATE ON media_files WHEN NOT (OLD.deleted_at IS NULL) AND (NEW.deleted_at IS NULL) BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('media_files', 'insert', lower(hex(NEW.id)), unixepoch() * 1000000);
END;

CREATE TRIGGER media_files_hidden AFTER UPDATE ON media_files WHEN (OLD.deleted_at IS NULL) AND NOT (NEW.deleted_at IS NULL) BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('media_files', 'delete', lower(hex(NEW.id)), unixepoch() * 1000000);
END;

CREATE TRIGGER media_files_deleted AFTER DELETE ON media_files WHEN OLD.deleted_at IS NULL BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('media_files', 'delete', lower(hex(OLD.id)), unixepoch() * 1000000);
END;

CREATE TRIGGER media_files_trashed AFTER UPDATE ON media_files WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('trash', 'insert', lower(hex(NEW.id)), unixepoch() * 1000000);
END;

CREATE TRIGGER media_files_restored AFTER UPDATE ON media_files WHEN OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS NULL BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('trash', 'delete', lower(hex(NEW.id)), unixepoch() * 1000000);
END;

CREATE TRIGGER media_files_removed AFTER DELETE ON media_files WHEN OLD.deleted_at IS NOT NULL BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('trash', 'delete', lower(hex(OLD.id)), unixepoch() * 1000000);
END;

DROP TRIGGER demos_inserted;
DROP TRIGGER demos_updated;
DROP TRIGGER demos_deleted;

CREATE TRIGGER demos_inserted AFTER INSERT ON demos WHEN NEW.deleted_at IS NULL BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('demos', 'insert', lower(hex(NEW.id)), unixepoch() * 1000000);
END;

CREATE TRIGGER demos_updated AFTER UPDATE ON demos WHEN (OLD.deleted_at IS NULL) AND (NEW.deleted_at IS NULL) BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('demos', 'update', lower(hex(NEW.id)), unixepoch() * 1000000);
END;

CREATE TRIGGER demos_shown AFTER UPDATE ON demos WHEN NOT (OLD.deleted_at IS NULL) AND (NEW.deleted_at IS NULL) BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('demos', 'insert', lower(hex(NEW.id)), unixepoch() * 1000000);
END;

CREATE TRIGGER demos_hidden AFTER UPDATE ON demos WHEN (OLD.deleted_at IS NULL) AND NOT (NEW.deleted_at IS NULL) BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('demos', 'delete', lower(hex(NEW.id)), unixepoch() * 1000000);
END;

CREATE TRIGGER demos_deleted AFTER DELETE ON demos WHEN OLD.deleted_at IS NULL BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('demos', 'delete', lower(hex(OLD.id)), unixepoch() * 1000000);
END;

CREATE TRIGGER demos_trashed AFTER UPDATE ON demos WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('trash', 'insert', lower(hex(NEW.id)), unixepoch() * 1000000);
END;

CREATE TRIGGER demos_restored AFTER UPDATE ON demos WHEN OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS NULL BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('trash', 'delete', lower(hex(NEW.id)), unixepoch() * 1000000);
END;

CREATE TRIGGER demos_removed AFTER DELETE ON demos WHEN OLD.deleted_at IS NOT NULL BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('trash', 'delete', lower(hex(OLD.id)), unixepoch() * 1000000);
END;

CREATE TRIGGER site_images_inserted AFTER INSERT ON site_images WHEN NEW.deleted_at IS NULL BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('site_images', 'insert', NEW.key, unixepoch() * 1000000);
END;

CREATE TRIGGER site_images_updated AFTER UPDATE ON site_images WHEN (OLD.deleted_at IS NULL) AND (NEW.deleted_at IS NULL) BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('site_images', 'update', NEW.key, unixepoch() * 1000000);
END;

CREATE TRIGGER site_images_shown AFTER UPDATE ON site_images WHEN NOT (OLD.deleted_at IS NULL) AND (NEW.deleted_at IS NULL) BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('site_images', 'insert', NEW.key, unixepoch() * 1000000);
END;

CREATE TRIGGER site_images_hidden AFTER UPDATE ON site_images WHEN (OLD.deleted_at IS NULL) AND NOT (NEW.deleted_at IS NULL) BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('site_images', 'delete', NEW.key, unixepoch() * 1000000);
END;

CREATE TRIGGER site_images_deleted AFTER DELETE ON site_images WHEN OLD.deleted_at IS NULL BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('site_images', 'delete', OLD.key, unixepoch() * 1000000);
END;

CREATE TRIGGER site_images_trashed AFTER UPDATE ON site_images WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('trash', 'insert', lower(hex(NEW.id)), unixepoch() * 1000000);
END;

CREATE TRIGGER site_images_restored AFTER UPDATE ON site_images WHEN OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS NULL BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('trash', 'delete', lower(hex(NEW.id)), unixepoch() * 1000000);
END;

CREATE TRIGGER site_images_removed AFTER DELETE ON site_images WHEN OLD.deleted_at IS NOT NULL BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('trash', 'delete', lower(hex(OLD.id)), unixepoch() * 1000000);
END;

