-- What only admins see: products, the library of uploaded files, and the lists in the order in which rows came.

-- Prices are whole cents.
CREATE TABLE store_products (
    id             UUID    NOT NULL PRIMARY KEY,
    title          TEXT    NOT NULL,
    sort_key       TEXT    COLLATE "C" NOT NULL,
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
    id            UUID   NOT NULL PRIMARY KEY,
    filename      TEXT   NOT NULL,
    original_name TEXT   NOT NULL,
    file_path     TEXT   COLLATE "C" NOT NULL UNIQUE REFERENCES objects (key) ON DELETE CASCADE,
    file_type     TEXT   NOT NULL CHECK (file_type IN ('image', 'video')),
    file_size     BIGINT NOT NULL,
    mime_type     TEXT   NOT NULL,
    alt_text      TEXT,
    sort_key      TEXT   COLLATE "C" NOT NULL,
    created_at    BIGINT NOT NULL
);
CREATE INDEX media_files_by_entry ON media_files (created_at DESC, id DESC);

CREATE INDEX artists_by_entry ON artists (created_at DESC, id DESC);
CREATE INDEX releases_by_entry ON releases (created_at DESC, id DESC);

CREATE CONSTRAINT TRIGGER store_products_changed AFTER INSERT OR UPDATE OR DELETE ON store_products
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION record_event('id');
CREATE CONSTRAINT TRIGGER media_files_changed AFTER INSERT OR UPDATE OR DELETE ON media_files
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION record_event('id');
