-- The public side: catalogue, editable texts and images, maintenance, stored objects, and the log of what changed.
-- Ids are UUIDv7, instants unix microseconds, dates text YYYY-MM-DD; sort keys are made by the rules.

CREATE TABLE objects (
    key          TEXT    NOT NULL PRIMARY KEY,
    content_type TEXT    NOT NULL,
    size_bytes   BIGINT  NOT NULL,
    sha256       TEXT    NOT NULL,
    width        BIGINT,
    height       BIGINT,
    small_key    TEXT,
    created_at   BIGINT  NOT NULL
);

CREATE TABLE artists (
    id              UUID    NOT NULL PRIMARY KEY,
    name            TEXT    NOT NULL,
    sort_key        TEXT    COLLATE "C" NOT NULL DEFAULT '',
    bio             TEXT,
    image_url       TEXT,
    spotify_url     TEXT,
    soundcloud_url  TEXT,
    instagram_url   TEXT,
    youtube_url     TEXT,
    apple_music_url TEXT,
    social_links    TEXT    NOT NULL DEFAULT '{}',
    featured        BOOLEAN NOT NULL DEFAULT FALSE,
    created_at      BIGINT  NOT NULL DEFAULT 0,
    updated_at      BIGINT  NOT NULL DEFAULT 0,
    version         BIGINT  NOT NULL DEFAULT 1
);
CREATE INDEX artists_by_name ON artists (sort_key, id);

CREATE TABLE releases (
    id              UUID    NOT NULL PRIMARY KEY,
    title           TEXT    NOT NULL,
    sort_key        TEXT    COLLATE "C" NOT NULL DEFAULT '',
    catalog         TEXT,
    release_date    TEXT    COLLATE "C" CHECK (release_date ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
    description     TEXT,
    cover_image_url TEXT,
    spotify_url     TEXT,
    soundcloud_url  TEXT,
    apple_music_url TEXT,
    youtube_url     TEXT,
    bandcamp_url    TEXT,
    artist_id       UUID    REFERENCES artists (id) ON DELETE SET NULL,
    featured        BOOLEAN NOT NULL DEFAULT FALSE,
    created_at      BIGINT  NOT NULL DEFAULT 0,
    updated_at      BIGINT  NOT NULL DEFAULT 0,
    version         BIGINT  NOT NULL DEFAULT 1
);
-- Undated releases count as the empty date, which descends behind every real one.
CREATE INDEX releases_by_date ON releases (COALESCE(release_date, '') DESC, sort_key, id);
CREATE INDEX releases_by_artist ON releases (artist_id, COALESCE(release_date, '') DESC, sort_key, id);

CREATE TABLE site_content (
    id          UUID   NOT NULL PRIMARY KEY,
    key         TEXT   COLLATE "C" NOT NULL UNIQUE,
    value       TEXT   NOT NULL DEFAULT '',
    description TEXT,
    created_at  BIGINT NOT NULL DEFAULT 0,
    updated_at  BIGINT NOT NULL DEFAULT 0,
    version     BIGINT NOT NULL DEFAULT 1
);

CREATE TABLE site_images (
    id          UUID   NOT NULL PRIMARY KEY,
    key         TEXT   COLLATE "C" NOT NULL UNIQUE,
    image_url   TEXT   NOT NULL,
    alt_text    TEXT,
    description TEXT,
    created_at  BIGINT NOT NULL DEFAULT 0,
    updated_at  BIGINT NOT NULL DEFAULT 0,
    version     BIGINT NOT NULL DEFAULT 1
);

CREATE TABLE maintenance_settings (
    page_key            TEXT    COLLATE "C" NOT NULL PRIMARY KEY,
    is_maintenance_mode BOOLEAN NOT NULL DEFAULT FALSE,
    maintenance_message TEXT,
    created_at          BIGINT  NOT NULL DEFAULT 0,
    updated_at          BIGINT  NOT NULL DEFAULT 0,
    version             BIGINT  NOT NULL DEFAULT 1
);

-- One conditional row per limited subject: see the rate limit rules.
CREATE TABLE limits (
    key        TEXT   NOT NULL PRIMARY KEY,
    state      TEXT   NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX limits_by_expiry ON limits (expires_at);

-- What changed, in commit order, without row data. Written by triggers, so that no writer can forget it.
CREATE TABLE events (
    id         BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    table_name TEXT   NOT NULL,
    op         TEXT   NOT NULL,
    row_key    TEXT   NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX events_by_age ON events (created_at);

-- The lock makes ids appear in commit order: a reader that has seen id n will never find a smaller one later.
-- The notification only wakes the readers up; the rows are what they read.
CREATE FUNCTION record_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    changed JSONB := to_jsonb(COALESCE(NEW, OLD));
BEGIN
    PERFORM pg_advisory_xact_lock(4040404);
    INSERT INTO events (table_name, op, row_key, created_at)
    VALUES (TG_TABLE_NAME, lower(TG_OP), changed ->> TG_ARGV[0], (extract(epoch FROM clock_timestamp()) * 1000000)::BIGINT);
    PERFORM pg_notify('deadwax_events', '');
    RETURN NULL;
END;
$$;

CREATE TRIGGER artists_changed AFTER INSERT OR UPDATE OR DELETE ON artists FOR EACH ROW EXECUTE FUNCTION record_event('id');
CREATE TRIGGER releases_changed AFTER INSERT OR UPDATE OR DELETE ON releases FOR EACH ROW EXECUTE FUNCTION record_event('id');
CREATE TRIGGER site_content_changed AFTER INSERT OR UPDATE OR DELETE ON site_content FOR EACH ROW EXECUTE FUNCTION record_event('key');
CREATE TRIGGER site_images_changed AFTER INSERT OR UPDATE OR DELETE ON site_images FOR EACH ROW EXECUTE FUNCTION record_event('key');
CREATE TRIGGER maintenance_settings_changed AFTER INSERT OR UPDATE OR DELETE ON maintenance_settings FOR EACH ROW EXECUTE FUNCTION record_event('page_key');
