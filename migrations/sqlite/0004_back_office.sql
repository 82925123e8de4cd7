-- What only admins see: products, the library of uploaded files, and the lists in the order in which rows came.

-- Prices are whole cents.
CREATE TABLE store_products (
    id             BLOB    NOT NULL PRIMARY KEY,
    title          TEXT    NOT NULL,
    sort_key       TEXT    NOT NULL,
    description    TEXT,
    price_cents    BIGINT  NOT NULL CHECK (price_cents BETWEEN 0 AND 99999900),
    image_url      TEXT,
    stock_quantity BIGINT  NOT NULL CHECK (stock_quantity BETWEEN 0 AND 2147483647),
    category       TEXT,
    featured       BOOLEAN NOT NULL DEFAULT FALSE,
    active         BOOLEAN NOT NULL DEFAULT TRUE,
    created_at     BIGINT  NOT NULL,
    updated_at     BIGINT  NOT NULL,
    version        BIGINT  NOT NULL DEFAULT 1
);
CREATE INDEX store_products_by_entry ON store_products (created_at DESC, id DESC);

-- One row per uploaded picture or video; it goes with its file.
CREATE TABLE media_files (
    id            BLOB   NOT NULL PRIMARY KEY,
    filename      TEXT   NOT NULL,
    original_name TEXT   NOT NULL,
    file_path     TEXT   NOT NULL UNIQUE REFERENCES objects (key) ON DELETE CASCADE,
    file_type     TEXT   NOT NULL CHECK (file_type IN ('image', 'video')),
    file_size     BIGINT NOT NULL,
    mime_type     TEXT   NOT NULL,
    alt_text      TEXT,
    sort_key      TEXT   NOT NULL,
    created_at    BIGINT NOT NULL
);
CREATE INDEX media_files_by_entry ON media_files (created_at DESC, id DESC);

CREATE INDEX artists_by_entry ON artists (created_at DESC, id DESC);
CREATE INDEX releases_by_entry ON releases (created_at DESC, id DESC);

CREATE TRIGGER store_products_inserted AFTER INSERT ON store_products BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('store_products', 'insert', lower(hex(NEW.id)), unixepoch() * 1000000);
END;
CREATE TRIGGER store_products_updated AFTER UPDATE ON store_products BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('store_products', 'update', lower(hex(NEW.id)), unixepoch() * 1000000);
END;
CREATE TRIGGER store_products_deleted AFTER DELETE ON store_products BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('store_products', 'delete', lower(hex(OLD.id)), unixepoch() * 1000000);
END;

CREATE TRIGGER media_files_inserted AFTER INSERT ON media_files BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('media_files', 'insert', lower(hex(NEW.id)), unixepoch() * 1000000);
END;
CREATE TRIGGER media_files_updated AFTER UPDATE ON media_files BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('media_files', 'update', lower(hex(NEW.id)), unixepoch() * 1000000);
END;
CREATE TRIGGER media_files_deleted AFTER DELETE ON media_files BEGIN
    INSERT INTO events (table_name, op, row_key, created_at) VALUES ('media_files', 'delete', lower(hex(OLD.id)), unixepoch() * 1000000);
END;
