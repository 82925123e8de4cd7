-- What visitors leave with the label: newsletter subscriptions and demos, with the uploads on their way.

-- One row per mail address, trimmed and in lower case.
CREATE TABLE newsletter_subscriptions (
    id            BLOB    NOT NULL PRIMARY KEY,
    email         TEXT    NOT NULL UNIQUE,
    active        BOOLEAN NOT NULL DEFAULT TRUE,
    subscribed_at BIGINT  NOT NULL,
    created_at    BIGINT  NOT NULL,
    updated_at    BIGINT  NOT NULL,
    version       BIGINT  NOT NULL DEFAULT 1
);
CREATE INDEX newsletter_subscriptions_by_date ON newsletter_subscriptions (subscribed_at DESC, id);

-- A demo is its file and who sent it; it goes with its file.
CREATE TABLE demos (
    id            BLOB   NOT NULL PRIMARY KEY,
    file_key      TEXT   NOT NULL UNIQUE REFERENCES objects (key) ON DELETE CASCADE,
    artist_name   TEXT   NOT NULL,
    email         TEXT   NOT NULL,
    message       TEXT,
    original_name TEXT   NOT NULL,
    submitted_at  BIGINT NOT NULL
);
CREATE INDEX demos_by_date ON demos (submitted_at DESC, id);

-- Demos on their way, by the hash of the token in their address. A finished one stays for as long as its sender may ask
-- again, without what it said about the sender: that is in the demo, or nowhere.
CREATE TABLE uploads (
    id_hash       BLOB   NOT NULL PRIMARY KEY,
    artist_name   TEXT,
    email         TEXT,
    message       TEXT,
    original_name TEXT,
    extension     TEXT   NOT NULL,
    length        BIGINT NOT NULL,
    received      BIGINT NOT NULL DEFAULT 0,
    writer        BLOB,
    finished_at   BIGINT,
    refusal       TEXT,
    created_at    BIGINT NOT NULL,
    expires_at    BIGINT NOT NULL,
    CHECK (received BETWEEN 0 AND length),
    CHECK (refusal IS NULL OR finished_at IS NOT NULL),
    CHECK ((finished_at IS NULL) = (artist_name IS NOT NULL AND email IS NOT NULL AND original_name IS NOT NULL))
);
CREATE INDEX uploads_by_expiry ON uploads (expires_at);

-- What has arrived of an upload, in the order of its bytes.
CREATE TABLE upload_parts (
    upload_hash BLOB   NOT NULL REFERENCES uploads (id_hash) ON DELETE CASCADE,
    start       BIGINT NOT NULL,
    size_bytes  BIGINT NOT NULL CHECK (size_bytes > 0),
    key         TEXT   NOT NULL UNIQUE,
    PRIMARY KEY (upload_hash, start)
);

CREATE TRIGGER newsletter_subscriptions_inserted AFTER INSERT ON newsletter_subscriptions BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('newsletter_subscriptions', 'insert', lower(hex(NEW.id)), unixepoch() * 1000000);
END;
CREATE TRIGGER newsletter_subscriptions_updated AFTER UPDATE ON newsletter_subscriptions BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('newsletter_subscriptions', 'update', lower(hex(NEW.id)), unixepoch() * 1000000);
END;
CREATE TRIGGER newsletter_subscriptions_deleted AFTER DELETE ON newsletter_subscriptions BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('newsletter_subscriptions', 'delete', lower(hex(OLD.id)), unixepoch() * 1000000);
END;

CREATE TRIGGER demos_inserted AFTER INSERT ON demos BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('demos', 'insert', lower(hex(NEW.id)), unixepoch() * 1000000);
END;
CREATE TRIGGER demos_updated AFTER UPDATE ON demos BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('demos', 'update', lower(hex(NEW.id)), unixepoch() * 1000000);
END;
CREATE TRIGGER demos_deleted AFTER DELETE ON demos BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('demos', 'delete', lower(hex(OLD.id)), unixepoch() * 1000000);
END;
