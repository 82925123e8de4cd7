-- The public side: catalogue, editable texts and images, maintenance, stored objects, and the log of what changed.
-- Ids are UUIDv7 in 16 bytes, instants unix microseconds, dates text YYYY-MM-DD; sort keys are made by the rules.

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
    id              BLOB    NOT NULL PRIMARY KEY,
    name            TEXT    NOT NULL,
    sort_key        TEXT    NOT NULL DEFAULT '',
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
    id              BLOB    NOT NULL PRIMARY KEY,
    title           TEXT    NOT NULL,
    sort_key        TEXT    NOT NULL DEFAULT '',
    catalog         TEXT,
    release_date    TEXT    CHECK (release_date IS NULL OR release_date GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
    description     TEXT,
    cover_image_url TEXT,
    spotify_url     TEXT,
    soundcloud_url  TEXT,
    apple_music_url TEXT,
    youtube_url     TEXT,
    bandcamp_url    TEXT,
    artist_id       BLOB    REFERENCES artists (id) ON DELETE SET NULL,
    featured        BOOLEAN NOT NULL DEFAULT FALSE,
    created_at      BIGINT  NOT NULL DEFAULT 0,
    updated_at      BIGINT  NOT NULL DEFAULT 0,
    version         BIGINT  NOT NULL DEFAULT 1
);
-- Undated releases count as the empty date, which descends behind every real one.
CREATE INDEX releases_by_date ON releases (COALESCE(release_date, '') DESC, sort_key, id);
CREATE INDEX releases_by_artist ON releases (artist_id, COALESCE(release_date, '') DESC, sort_key, id);

CREATE TABLE site_content (
    id          BLOB   NOT NULL PRIMARY KEY,
    key         TEXT   NOT NULL UNIQUE,
    value       TEXT   NOT NULL DEFAULT '',
    description TEXT,
    created_at  BIGINT NOT NULL DEFAULT 0,
    updated_at  BIGINT NOT NULL DEFAULT 0,
    version     BIGINT NOT NULL DEFAULT 1
);

CREATE TABLE site_images (
    id          BLOB   NOT NULL PRIMARY KEY,
    key         TEXT   NOT NULL UNIQUE,
    image_url   TEXT   NOT NULL,
    alt_text    TEXT,
    description TEXT,
    created_at  BIGINT NOT NULL DEFAULT 0,
    updated_at  BIGINT NOT NULL DEFAULT 0,
    version     BIGINT NOT NULL DEFAULT 1
);

CREATE TABLE maintenance_settings (
    page_key            TEXT    NOT NULL PRIMARY KEY,
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
    id         INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    table_name TEXT    NOT NULL,
    op         TEXT    NOT NULL,
    row_key    TEXT    NOT NULL,
    created_at BIGINT  NOT NULL
);
CREATE INDEX events_by_age ON events (created_at);

CREATE TRIGGER artists_inserted AFTER INSERT ON artists BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('artists', 'insert', lower(hex(NEW.id)), unixepoch() * 1000000);
END;
CREATE TRIGGER artists_updated AFTER UPDATE ON artists BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('artists', 'update', lower(hex(NEW.id)), unixepoch() * 1000000);
END;
CREATE TRIGGER artists_deleted AFTER DELETE ON artists BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('artists', 'delete', lower(hex(OLD.id)), unixepoch() * 1000000);
END;

CREATE TRIGGER releases_inserted AFTER INSERT ON releases BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('releases', 'insert', lower(hex(NEW.id)), unixepoch() * 1000000);
END;
CREATE TRIGGER releases_updated AFTER UPDATE ON releases BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('releases', 'update', lower(hex(NEW.id)), unixepoch() * 1000000);
END;
CREATE TRIGGER releases_deleted AFTER DELETE ON releases BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('releases', 'delete', lower(hex(OLD.id)), unixepoch() * 1000000);
END;

CREATE TRIGGER site_content_inserted AFTER INSERT ON site_content BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('site_content', 'insert', NEW.key, unixepoch() * 1000000);
END;
CREATE TRIGGER site_content_updated AFTER UPDATE ON site_content BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('site_content', 'update', NEW.key, unixepoch() * 1000000);
END;
CREATE TRIGGER site_content_deleted AFTER DELETE ON site_content BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('site_content', 'delete', OLD.key, unixepoch() * 1000000);
END;

CREATE TRIGGER site_images_inserted AFTER INSERT ON site_images BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('site_images', 'insert', NEW.key, unixepoch() * 1000000);
END;
CREATE TRIGGER site_images_updated AFTER UPDATE ON site_images BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('site_images', 'update', NEW.key, unixepoch() * 1000000);
END;
CREATE TRIGGER site_images_deleted AFTER DELETE ON site_images BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('site_images', 'delete', OLD.key, unixepoch() * 1000000);
END;

CREATE TRIGGER maintenance_settings_inserted AFTER INSERT ON maintenance_settings BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('maintenance_settings', 'insert', NEW.page_key, unixepoch() * 1000000);
END;
CREATE TRIGGER maintenance_settings_updated AFTER UPDATE ON maintenance_settings BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('maintenance_settings', 'update', NEW.page_key, unixepoch() * 1000000);
END;
CREATE TRIGGER maintenance_settings_deleted AFTER DELETE ON maintenance_settings BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('maintenance_settings', 'delete', OLD.page_key, unixepoch() * 1000000);
END;
